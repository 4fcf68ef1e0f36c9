import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';

test.each([
  ['Sally Seller', 'S'],
  [' 🌻 Lena', '🌻'],
  ['ليلى', 'ل'],
  ['', '?'],
])('%j without a picture is shown as %j', (name, initial) => {
  expect(render(<Avatar name={name} />).container.textContent).toBe(initial);
});

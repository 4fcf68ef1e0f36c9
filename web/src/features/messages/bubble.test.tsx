import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MessageBubble } from './thread.tsx';

test('a message runs in the direction of its own first letters', () => {
  render(<MessageBubble isOwn={false} sender="ليلى حداد" content="مرحبا، is it still there?" />);
  expect(screen.getByText('مرحبا، is it still there?').dir).toBe('auto');
  expect(screen.getByText('ليلى حداد').localName).toBe('bdi');
});

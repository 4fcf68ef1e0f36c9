import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../test/render-at.tsx';
import { PrivacyPage } from './privacy.tsx';

test('tells of everything that is kept for how long, also of what is written down beside the data', () => {
  renderAt({ routes: [{ path: '/', element: <PrivacyPage /> }] });
  const section = screen.getByRole('region', { name: /For how long/ });
  const lines = within(section).getAllByRole('listitem');
  const kept = ['account', 'messages', 'session', 'visits', 'contact', 'log of requests', 'backups', 'administrators'];
  for (const name of kept) expect(lines.some(({ textContent }) => textContent.includes(name))).toBe(true);
});

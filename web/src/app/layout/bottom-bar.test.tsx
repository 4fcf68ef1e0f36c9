import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SignInProvider } from '../../features/auth/sign-in.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe, unreadCounts } from '../../test/samples.ts';
import { BottomBar } from './bottom-bar.tsx';

const open = (at: string, boot = {}) => {
  fakeApi({});
  const element = (
    <SignInProvider>
      <BottomBar />
    </SignInProvider>
  );
  return renderAt({ routes: [{ path: '*', element }], at, boot });
};
const signedIn = (messages: number, notifications: number) => ({
  me: sampleMe(),
  data: unreadCounts(messages, notifications),
});

test.each([
  ['/', 'Home'],
  ['/?search=sofa', 'Home'],
  ['/dashboard?tab=saved', 'Saved'],
  ['/create-ad', 'Sell'],
  ['/messages', 'Inbox'],
  ['/notifications', 'Inbox'],
  ['/dashboard', 'Me'],
  ['/dashboard?tab=buying', 'Me'],
  ['/categories', undefined],
])('at %s, the place of the page is %s', (at, name) => {
  open(at, signedIn(0, 0));
  const current = screen.queryAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current).toEqual(name ? [screen.getByRole('link', { name })] : []);
});

test('Inbox says how much is unread', () => {
  open('/', signedIn(120, 1));
  const inbox = screen.getByRole('link', { name: 'Inbox, 99+ unread; notifications unread' });
  expect([...inbox.querySelectorAll('[aria-hidden=true]')].map(({ textContent }) => textContent).join('')).toBe(
    '99+Inbox',
  );
});

test('signed out, every place except Home opens the sign-in dialog', async () => {
  open('/');
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Home']);
  for (const name of ['Saved', 'Sell', 'Me']) expect(screen.getByRole('button', { name })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Inbox' }));
  await screen.findByRole('dialog', { name: /^Welcome/ });
});

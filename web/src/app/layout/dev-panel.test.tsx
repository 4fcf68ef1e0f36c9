import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderAt } from '../../test/render-at.tsx';
import { DevPanel } from './dev-panel.tsx';

const users = [
  { id: '1001', username: 'seller_one', displayName: 'Sally Seller' },
  { id: '1002', username: 'buyer_two', displayName: 'Ben Buyer' },
];

beforeEach(() => localStorage.clear());

test('the development panel has three choices, of which "none" forgets the test user', () => {
  const reload = vi.fn();
  const cookies: string[] = [];
  vi.spyOn(document, 'cookie', 'set').mockImplementation((cookie) => void cookies.push(cookie));
  vi.stubGlobal('location', { ...window.location, reload });
  renderAt({ routes: [{ path: '/', element: <DevPanel users={users} /> }] });
  const choice = screen.getByLabelText<HTMLSelectElement>('Test User:');
  expect([...choice.options].map(({ value, text }) => [value, text])).toEqual([
    ['none', 'No test user'],
    ['1001', 'Sally Seller (@seller_one)'],
    ['1002', 'Ben Buyer (@buyer_two)'],
  ]);
  fireEvent.change(choice, { target: { value: '1002' } });
  expect(localStorage.getItem('testUser')).toBe('1002');
  expect(cookies.at(-1)).toBe('testUser=1002; Path=/api/messages/photos; SameSite=Strict');
  fireEvent.change(choice, { target: { value: 'none' } });
  expect(localStorage.getItem('testUser')).toBeNull();
  expect(cookies.at(-1)).toBe('testUser=; Path=/api/messages/photos; SameSite=Strict; Max-Age=0');
  expect(reload).toHaveBeenCalledTimes(2);
  vi.unstubAllGlobals();
});

test('everybody else signs in with the X simulator, and is no test user any more', () => {
  localStorage.setItem('testUser', '1001');
  renderAt({ routes: [{ path: '/', element: <DevPanel users={users} /> }] });
  const link = screen.getByRole('link', { name: /X simulator/, hidden: true });
  expect(link.getAttribute('href')).toBe('/api/auth/twitter?returnTo=%2F');
  fireEvent.click(link);
  expect(localStorage.getItem('testUser')).toBeNull();
});

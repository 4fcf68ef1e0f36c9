import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleDeal, sampleMe } from '../test/samples.ts';
import { DashboardPage } from './dashboard.tsx';

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

const open = (at: string) => {
  fakeApi({ 'GET /api/purchases?limit=10': { json: [sampleDeal()] } });
  return renderAt({
    routes: [
      { path: '/dashboard', element: <DashboardPage /> },
      { path: '/preferences', element: <h1>Preferences</h1> },
    ],
    at,
    boot: { me: sampleMe() },
  });
};
const selected = () => screen.getByRole('tab', { selected: true }).textContent;

test('a link of before to the settings of notifications leads to those of now', async () => {
  const { router } = open('/dashboard#notification-settings');
  expect(await screen.findByRole('heading', { name: 'Preferences' })).toBeDefined();
  expect(router.state.location).toMatchObject({ pathname: '/preferences', hash: '#notification-settings' });
});

test.each([
  ['#offers', 'Buying'],
  ['#purchases', 'Buying'],
  ['#saved-searches', 'Saved'],
  ['#followed-people', 'Saved'],
  ['#sales', 'Overview'],
  ['#unknown', 'Overview'],
  ['', 'Overview'],
])('a link to the section "%s" alone opens the tab %s', (hash, tab) => {
  open(`/dashboard${hash}`);
  expect(selected()).toBe(tab);
});

test('a link to the ratings of a deal opens the tab that has the deal', async () => {
  open('/dashboard#deal-30-ratings');
  expect(await screen.findByRole('tab', { name: 'Buying', selected: true })).toBeDefined();
});

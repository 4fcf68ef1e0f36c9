import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '../../../test/fake-api.ts';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleAd, sampleMe } from '../../../test/samples.ts';
import { MyAds } from './my-ads.tsx';

const me = sampleMe();
const routes = [{ path: '/', element: <MyAds me={me} /> }];
const [table, lamp] = [sampleAd(), sampleAd({ id: '2', title: 'Brass lamp' })];
const page = { items: [table, lamp], next: null, total: 2, totalExact: true };

test('the table stays where it is, with the focus in it, while it is fetched again after a deletion', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const api = fakeApi({
    'DELETE /api/ads/1': { status: 204 },
    [`GET /api/users/${me.id}/ads`]: () => promise.then(() => ({ json: [lamp] })),
  });
  vi.stubGlobal('confirm', () => true);
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: page } } });
  const other = screen.getByRole('link', { name: 'Edit Brass lamp' });
  fireEvent.click(screen.getByRole('button', { name: 'Delete Oak table' }));
  other.focus();
  await waitFor(() => expect(api.asked).toContain(`GET /api/users/${me.id}/ads`));
  expect(document.activeElement).toBe(other);
  resolve();
  await waitFor(() => expect(screen.queryByText('Oak table')).toBeNull());
  expect(document.activeElement).toBe(other);
});

test('an ad can be renewed from three days before its end on, which the table shows', async () => {
  const DAY = 86_400_000;
  const endIn = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  const ending = sampleAd({ id: '3', title: 'Ending', state: 'active', expiresAt: endIn(2.9) });
  const renewed = { ...ending, expiresAt: '2099-02-06T12:00:00.000Z' };
  const others = [
    sampleAd({ id: '4', title: 'Later', state: 'active', expiresAt: endIn(3.1) }),
    sampleAd({ id: '5', title: 'Sold', state: 'active', isSold: true, expiresAt: endIn(1) }),
    sampleAd({ id: '6', title: 'Endless', state: 'active', expiresAt: null }),
  ];
  const api = fakeApi({
    'POST /api/ads/3/renew': { json: renewed },
    [`GET /api/users/${me.id}/ads`]: { json: [renewed, ...others] },
  });
  const items = [ending, ...others];
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: { ...page, items, total: 4 } } } });
  expect(screen.getAllByText(/^Expires on /)).toHaveLength(1);
  expect(screen.getAllByRole('button', { name: /^Renew / })).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Renew Ending' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Renew / })).toBeNull());
  expect(api.asked).toContain('POST /api/ads/3/renew');
});

test('the table takes the focus over from what was deleted, also when nothing is left', async () => {
  const lists = [[lamp], []];
  fakeApi({
    'DELETE /api/ads/1': { status: 204 },
    'DELETE /api/ads/2': { status: 204 },
    [`GET /api/users/${me.id}/ads`]: () => ({ json: lists.shift() }),
  });
  vi.stubGlobal('confirm', () => true);
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: page } } });
  for (const { title } of [table, lamp]) {
    const button = screen.getByRole('button', { name: `Delete ${title}` });
    button.focus();
    fireEvent.click(button);
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'My Ads' }));
  }
  expect(screen.getByText('No ads yet')).toBeDefined();
});

test('a double click renews once', async () => {
  const ending = sampleAd({ id: '3', state: 'active', expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const { asked } = fakeApi({
    'POST /api/ads/3/renew': { json: { ...ending, expiresAt: '2099-02-06T12:00:00.000Z' } },
    [`GET /api/users/${me.id}/ads`]: { json: [ending] },
  });
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: { ...page, items: [ending] } } } });
  const renew = screen.getByRole('button', { name: `Renew ${ending.title}` });
  fireEvent.click(renew);
  expect(renew.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(renew);
  await screen.findByText('Ad renewed');
  expect(asked.filter((request) => request === 'POST /api/ads/3/renew')).toHaveLength(1);
});

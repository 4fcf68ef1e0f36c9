import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { fakeApi } from '../../../test/fake-api.ts';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleAd, sampleMe } from '../../../test/samples.ts';
import { MyAds } from './my-ads.tsx';

const me = sampleMe();
const routes = [{ path: '/', element: <MyAds me={me} /> }];
const [table, lamp] = [sampleAd(), sampleAd({ id: '2', title: 'Brass lamp' })];
const more = async (title: string, action: string) => {
  fireEvent.click(screen.getByRole('button', { name: `More for ${title}` }));
  const item = await screen.findByRole('menuitem', { name: action });
  return item;
};
const choose = async (title: string, action: string) => fireEvent.click(await more(title, action));
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
  await choose('Oak table', 'Delete');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
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
  for (const { title } of others) {
    await more(title, 'Duplicate');
    expect(screen.queryByRole('menuitem', { name: 'Renew' })).toBeNull();
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  }
  await choose('Ending', 'Renew');
  expect(await screen.findByText('Ad renewed')).toBeDefined();
  await waitFor(() => expect(screen.queryByText(/^Expires on /)).toBeNull());
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
    await choose(title, 'Delete');
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'My Ads' }));
  }
  expect(screen.getByText('No ads yet')).toBeDefined();
});

test('a renewal that is still sent is not sent again', async () => {
  const ending = sampleAd({ id: '3', state: 'active', expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const { promise, resolve } = Promise.withResolvers<void>();
  const { asked } = fakeApi({
    'POST /api/ads/3/renew': () => promise.then(() => ({ json: { ...ending, expiresAt: '2099-02-06T12:00:00.000Z' } })),
    [`GET /api/users/${me.id}/ads`]: { json: [ending] },
  });
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: { ...page, items: [ending] } } } });
  await choose(ending.title, 'Renew');
  await choose(ending.title, 'Renew');
  resolve();
  await screen.findByText('Ad renewed');
  expect(asked.filter((request) => request === 'POST /api/ads/3/renew')).toHaveLength(1);
});

test('an ad is paused and resumed', async () => {
  const paused: unknown[] = [];
  const ad = sampleAd({ state: 'active' });
  const now = { ...ad };
  fakeApi({
    'PATCH /api/ads/1/paused': async (request) => {
      const body = await request.json();
      paused.push(body);
      Object.assign(now, body.paused ? { state: 'paused', isActive: false } : { state: 'active', isActive: true });
      return { json: now };
    },
    [`GET /api/users/${me.id}/ads`]: () => ({ json: [now] }),
  });
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: { ...page, items: [ad], total: 1 } } } });
  await choose(ad.title, 'Pause');
  expect(await screen.findByText('Paused')).toBeDefined();
  await choose(ad.title, 'Resume');
  expect(await screen.findByText('Active')).toBeDefined();
  expect(paused).toEqual([{ paused: true }, { paused: false }]);
});

describe('the price of an ad', () => {
  const open = async (savers: { savers: number; dropPrice: string | null }) => {
    const bodies: Record<string, unknown>[] = [];
    const ad = sampleAd({ state: 'active', price: '240.00', version: 'v1' });
    fakeApi({
      'GET /api/ads/1/savers': { json: savers },
      'PUT /api/ads/1': async (request) => {
        const body = await request.json();
        bodies.push(body);
        return { json: { ...ad, price: `${body.price}.00` } };
      },
      [`GET /api/users/${me.id}/ads`]: { json: [ad] },
    });
    renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: { ...page, items: [ad], total: 1 } } } });
    fireEvent.click(screen.getByRole('button', { name: `Lower price ${ad.title}` }));
    const field = await screen.findByRole('textbox', { name: /^New price/ });
    const lowerTo = (price: string) => {
      fireEvent.change(field, { target: { value: price } });
      fireEvent.click(screen.getByRole('button', { name: 'Lower price' }));
    };
    return { ad, bodies, field, lowerTo };
  };

  test('is lowered by one field, and nothing else changes; who saved the ad will be told', async () => {
    const { ad, bodies, lowerTo } = await open({ savers: 2, dropPrice: '228.00' });
    expect(await screen.findByText('2 people saved it and will be told.')).toBeDefined();
    lowerTo('240');
    expect(await screen.findByText('Enter less than $240')).toBeDefined();
    lowerTo('220');
    expect(await screen.findByText('Price lowered to $220')).toBeDefined();
    expect(screen.getByText('2 people who saved it will be told.')).toBeDefined();
    expect(bodies).toMatchObject([
      { title: ad.title, category: ad.categorySlug, imageUrls: ad.imageUrls, price: '220', version: 'v1' },
    ]);
  });

  test('may drop too little to tell anybody', async () => {
    const { field, lowerTo } = await open({ savers: 1, dropPrice: '228.00' });
    fireEvent.change(field, { target: { value: '239' } });
    expect(await screen.findByText('1 person saved it. They are told of $228 or less.')).toBeDefined();
    lowerTo('239');
    expect(await screen.findByText('Price lowered to $239')).toBeDefined();
    expect(screen.queryByText(/will be told/)).toBeNull();
  });
});

test('several ads are changed at once, and each result is told', async () => {
  const { asked } = fakeApi({
    'PATCH /api/ads/1/paused': { json: { ...table, state: 'paused' } },
    'PATCH /api/ads/2/paused': {
      status: 409,
      json: { code: 'conflict', message: 'This ad is marked as sold.', requestId: 'r' },
    },
    [`GET /api/users/${me.id}/ads`]: { json: [table, lamp] },
  });
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: page } } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Oak table' }));
  expect(screen.getByText('1 selected')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
  expect(screen.getByText('2 selected')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('1 ad paused.')).toBeDefined();
  expect(screen.getByText('Brass lamp: This ad is marked as sold.')).toBeDefined();
  expect(screen.queryByText(/selected$/)).toBeNull();
  expect(asked.filter((request) => request.startsWith('PATCH'))).toHaveLength(2);
});

test('of several ads, those on the market are paused and the paused ones resumed', async () => {
  const changed: unknown[] = [];
  const now = [
    { ...table, state: 'paused' as const },
    { ...lamp, state: 'active' as const },
  ];
  const answer = (id: string) => async (request: Request) => {
    const { paused } = await request.json();
    changed.push([id, paused]);
    return { json: { ...now[0], id } };
  };
  fakeApi({
    'PATCH /api/ads/1/paused': answer('1'),
    'PATCH /api/ads/2/paused': answer('2'),
    [`GET /api/users/${me.id}/ads`]: { json: now },
  });
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: { ...page, items: now } } } });
  const select = () => {
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Oak table' }));
    fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
  };
  select();
  fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
  expect(await screen.findByText('1 ad resumed.')).toBeDefined();
  select();
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('1 ad paused.')).toBeDefined();
  expect(changed).toEqual([
    ['1', false],
    ['2', true],
  ]);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Brass lamp' }));
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
});

test('several ads are marked as sold without a buyer, and it is said where one is named', async () => {
  const bodies: unknown[] = [];
  const sell = async (request: Request) => {
    bodies.push(await request.json());
    return { json: table };
  };
  fakeApi({
    'PATCH /api/ads/1/sold': sell,
    'PATCH /api/ads/2/sold': sell,
    [`GET /api/users/${me.id}/ads`]: { json: [table, lamp] },
  });
  renderAt({ routes, boot: { me, data: { [`/api/users/${me.id}/ads`]: page } } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Oak table' }));
  fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
  fireEvent.click(screen.getByRole('button', { name: 'Mark as sold' }));
  expect(
    await screen.findByText('2 ads marked as sold. To name a buyer and be rated, mark an ad as sold by itself.'),
  ).toBeDefined();
  expect(bodies).toEqual([{ isSold: true }, { isSold: true }]);
});

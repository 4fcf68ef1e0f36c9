import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd, sampleMe } from '../test/samples.ts';
import { AdDetailPage } from './ad-detail.tsx';
import { HomePage } from './home.tsx';

const ad = sampleAd({ id: '7', title: 'Green bike', userId: '1001', state: 'active' });
const list = { items: [ad], next: null, total: 1, totalExact: true };

test('a deleted ad does not come back from the cache with Back', async () => {
  vi.stubGlobal('confirm', () => true);
  const api = fakeApi({
    'DELETE /api/ads/7': { status: 204 },
    'GET /api/ads/7/x-posts': { json: [] },
    'GET /api/ads': { json: [] },
    'GET /api/ads/7': { status: 404 },
    'GET /api/categories': { json: [] },
    'GET /api/categories/stats': { json: {} },
    'GET /api/stats': { json: { activeAds: 0, users: 1, categories: 1 } },
    'GET /api/user/favorite-ids': { json: [] },
  });
  const { router } = renderAt({
    routes: [
      { path: '/', element: <HomePage /> },
      { path: '/ads/:id', element: <AdDetailPage /> },
    ],
    boot: { me: sampleMe(), data: { '/api/ads': list, '/api/ads/7': ad } },
  });
  await act(() => router.navigate('/ads/7'));
  window.history.replaceState({ idx: 1 }, '');
  fireEvent.click(screen.getByRole('button', { name: 'Delete Ad' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(api.asked).not.toContain('GET /api/ads/7');
  await act(() => router.navigate('/ads/7'));
  expect(screen.queryByRole('heading', { name: 'Green bike' })).toBeNull();
  expect(await screen.findByRole('heading', { name: 'Ad not found' })).toBeDefined();
});

test('near the end of the ad, similar ads and more from the seller load; an empty list is left out', async () => {
  let approach = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        approach = () => callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never);
      }
      observe() {}
      disconnect() {}
    },
  );
  const api = fakeApi({
    'GET /api/ads/7/similar': { json: [sampleAd({ id: '8', title: 'Blue bike' })] },
    'GET /api/ads/7/more-from-seller': { json: [] },
    'GET /api/user/favorite-ids': { json: [] },
  });
  renderAt({
    at: '/ads/7',
    routes: [{ path: '/ads/:id', element: <AdDetailPage /> }],
    boot: { data: { '/api/ads/7': ad } },
  });
  expect(api.asked).toEqual([]);
  act(approach);
  expect(await screen.findByRole('link', { name: 'Blue bike' })).toBeDefined();
  expect(screen.getByRole('region', { name: 'Similar ads' })).toBeDefined();
  expect(screen.queryByRole('region', { name: 'More from this seller' })).toBeNull();
});

test('the title says that the ad could not be loaded, not what the page before was', async () => {
  fakeApi({ 'GET /api/ads/7': { status: 503 }, 'GET /api/categories': { json: [] } });
  document.title = 'The page before';
  renderAt({ routes: [{ path: '/ads/:id', element: <AdDetailPage /> }], at: '/ads/7' });
  await screen.findByText('Failed to fetch the ad');
  expect(document.title).toBe('Failed to fetch the ad | Tradepost');
});

test('an address of another site that is none does not break the page', () => {
  fakeApi({});
  const broken = { ...ad, externalLink: 'https://[broken' };
  renderAt({
    routes: [{ path: '/ads/:id', element: <AdDetailPage /> }],
    at: '/ads/7',
    boot: { data: { '/api/ads/7': broken } },
  });
  expect(screen.getByText('https://[broken · opens in a new tab')).toBeDefined();
});

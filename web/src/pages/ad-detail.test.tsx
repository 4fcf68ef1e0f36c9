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

import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AdDetailPage } from '../pages/ad-detail.tsx';
import { SellerProfilePage } from '../pages/seller-profile.tsx';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd } from '../test/samples.ts';

const routes = [
  { path: '/', element: <p>elsewhere</p> },
  { path: '/ads/:id', element: <AdDetailPage /> },
  { path: '/users/:username', element: <SellerProfilePage /> },
];

test('what the server found missing is shown as missing at once, and not requested', () => {
  const api = fakeApi({});
  renderAt({ routes, at: '/ads/7', boot: { missing: ['/api/ads/7'] } });
  expect(screen.getByRole('heading', { name: 'Ad not found' })).toBeDefined();
  renderAt({ routes, at: '/users/eve', boot: { missing: ['/api/users/eve/profile?status=active'] } });
  expect(screen.getByRole('heading', { name: 'User Not Found' })).toBeDefined();
  expect(api.asked).toEqual([]);
});

test('a missing ad is requested again when the user comes back to it: it may be approved meanwhile', async () => {
  const api = fakeApi({ 'GET /api/ads/7': { json: sampleAd({ id: '7', title: 'Green bike' }) } });
  const { router } = renderAt({ routes, at: '/ads/7', boot: { missing: ['/api/ads/7'] } });
  await act(() => router.navigate('/'));
  expect(screen.getByText('elsewhere')).toBeDefined();
  expect(api.asked).toEqual([]);
  await act(() => router.navigate('/ads/7'));
  expect(await screen.findByRole('heading', { name: 'Green bike' })).toBeDefined();
  expect(api.asked.filter((name) => name === 'GET /api/ads/7')).toHaveLength(1);
});

test('what failed later is asked for again when it is wanted', async () => {
  const api = fakeApi({ 'GET /api/ads/7': { status: 503, json: {} } });
  renderAt({ routes, at: '/ads/7' });
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(api.asked).toEqual(['GET /api/ads/7', 'GET /api/ads/7']);
});

import { act, fireEvent, screen, waitFor } from '@testing-library/react';
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

test('what the server found missing is shown as missing at once', async () => {
  const api = fakeApi({
    'GET /api/ads/7': { status: 404 },
    'GET /api/users/eve/profile?status=active': { status: 404 },
  });
  renderAt({ routes, at: '/ads/7', boot: { missing: ['/api/ads/7'] } });
  expect(screen.getByRole('heading', { name: 'Ad not found' })).toBeDefined();
  renderAt({ routes, at: '/users/eve', boot: { missing: ['/api/users/eve/profile?status=active'] } });
  expect(screen.getByRole('heading', { name: 'User Not Found' })).toBeDefined();
  await waitFor(() => expect(api.asked).toHaveLength(2));
  expect(screen.getByRole('heading', { name: 'User Not Found' })).toBeDefined();
});

test('a missing ad is requested again when the user comes back to it: it may be approved meanwhile', async () => {
  const api = fakeApi({ 'GET /api/ads/7': { status: 404 } });
  const { router } = renderAt({ routes, at: '/ads/7', boot: { missing: ['/api/ads/7'] } });
  await act(() => router.navigate('/'));
  expect(screen.getByText('elsewhere')).toBeDefined();
  api.answers['GET /api/ads/7'] = { json: sampleAd({ id: '7', title: 'Green bike' }) };
  await act(() => router.navigate('/ads/7'));
  expect(await screen.findByRole('heading', { name: 'Green bike' })).toBeDefined();
});

test('what failed later is asked for again when it is wanted', async () => {
  const api = fakeApi({ 'GET /api/ads/7': { status: 503, json: {} } });
  renderAt({ routes, at: '/ads/7' });
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(api.asked).toEqual(['GET /api/ads/7', 'GET /api/ads/7']);
});

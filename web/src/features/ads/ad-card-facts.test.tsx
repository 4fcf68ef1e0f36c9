import { screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Ad } from '../../../../contract/ads.ts';
import { Providers } from '../../app/app.tsx';
import { rememberPlace } from '../../lib/remembered-place.ts';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAd } from '../../test/samples.ts';
import { AdCard } from './ad-card.tsx';

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const show = (...ads: Partial<Ad>[]) =>
  renderAt({
    routes: [
      {
        path: '/',
        element: ads.map((ad, i) => (
          <AdCard key={ad.id} ad={sampleAd({ id: String(i), createdAt: ago(2.5), ...ad })} />
        )),
      },
    ],
  });
const lines = () => screen.getAllByText(/ ago$/).map((time) => time.parentElement?.textContent);

test('says how old an ad is, and how far away where the list knows', () => {
  const api = fakeApi({});
  show({ id: '1' }, { id: '2', distance: 12.4, placeId: '9' }, { id: '3', distance: 0.3, placeId: '8' });
  expect(lines()).toEqual(['2 h ago', '12 km · 2 h ago', '2 h ago']);
  expect(api.asked).toEqual([]);
});

test('all cards ask once how far they are from the remembered place', async () => {
  const api = fakeApi({ 'GET /api/places/5/distances?to=7%2C8%2C9': { json: { 7: 3.2, 8: 0 } } });
  rememberPlace({ near: '5', radius: '25', name: 'Salem' });
  show(
    { id: '1', placeId: '9' },
    { id: '2', placeId: '7' },
    { id: '3', placeId: '8' },
    { id: '4', placeId: '7' },
    { id: '5' },
  );
  await screen.findAllByText(/3 km/);
  expect(lines()).toEqual(['2 h ago', '3 km · 2 h ago', '2 h ago', '3 km · 2 h ago', '2 h ago']);
  expect(api.asked).toEqual(['GET /api/places/5/distances?to=7%2C8%2C9']);
});

test('a failure to learn the distances leaves the age', async () => {
  const api = fakeApi({ 'GET /api/places/5/distances?to=7': { status: 404, json: {} } });
  rememberPlace({ near: '5', radius: '25', name: 'Salem' });
  show({ id: '1', placeId: '7' });
  await expect.poll(() => api.asked).toHaveLength(1);
  expect(lines()).toEqual(['2 h ago']);
});

test('the server, which knows neither the moment nor the place, writes neither', () => {
  rememberPlace({ near: '5', radius: '25', name: 'Salem' });
  const card = (
    <Providers initialState={{ env: DEFAULT_SITE_CONFIG, me: null, data: {} }}>
      <AdCard ad={sampleAd({ placeId: '7' })} preview />
    </Providers>
  );
  expect(renderToString(card)).not.toMatch(/ ago|km/);
});

test('counts photos where there are several', () => {
  fakeApi({});
  const image = { url: '/media/a/full.jpg', thumbUrl: '/media/a/thumb.jpg', width: 4, height: 3, color: '#000000' };
  show({ id: '1', images: [image] });
  expect(screen.queryByText(/photo/)).toBeNull();
  show({ id: '2', images: [image, image, image] });
  expect(screen.getByText('3 photos')).toBeDefined();
});

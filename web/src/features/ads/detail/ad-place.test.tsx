import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rememberPlace } from '../../../lib/remembered-place.ts';
import { fakeApi } from '../../../test/fake-api.ts';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleAd } from '../../../test/samples.ts';
import { Summary } from './ad-detail.tsx';

const show = (place: { location: string; placeId: string | null }) =>
  renderAt({ routes: [{ path: '/', element: <Summary ad={sampleAd(place)} isOwner={false} /> }] });

test('the city of an ad leads to a map of it, and says how far it is from the remembered place', async () => {
  fakeApi({ 'GET /api/places/5/distances?to=7': { json: { 7: 70.4 } } });
  rememberPlace({ near: '5', radius: '', name: 'Salem' });
  show({ location: 'Portland, OR', placeId: '7' });
  await screen.findByText('About 70 km from Salem');
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Show the city on a map' }).href).toBe(
    'https://www.openstreetmap.org/search?query=Portland%2C+OR',
  );
});

test('without a remembered place nothing is asked', () => {
  const api = fakeApi({});
  show({ location: 'Portland, OR', placeId: '7' });
  expect(screen.queryByText(/^About/)).toBeNull();
  expect(api.asked).toEqual([]);
});

test('words that are no city have no map', () => {
  fakeApi({});
  show({ location: 'behind the church', placeId: null });
  expect(screen.queryByRole('link', { name: 'Show the city on a map' })).toBeNull();
});

import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { FavoriteButton, FavoritesProvider } from './favorites.tsx';

const ids = Array.from({ length: 1000 }, (_, index) => String(index + 10));
const routes = [
  {
    path: '/',
    element: (
      <FavoritesProvider>
        <FavoriteButton ad={{ id: '1', title: 'Old lamp' }} />
        <FavoriteButton ad={{ id: '2', title: 'New lamp' }} />
      </FavoritesProvider>
    ),
  },
];
const boot = { me: sampleMe(), data: { '/api/user/favorite-ids': ids } };
const heart = (title: string) => screen.getByRole('button', { name: `Save ${title}` });
const isFilled = (title: string) => heart(title).getAttribute('aria-pressed') === 'true';

test('with more favorites than the list of ids has, each heart of a list asks about its ad', async () => {
  fakeApi({
    'GET /api/ads/1/favorite-status': { json: { isFavorited: true } },
    'GET /api/ads/2/favorite-status': { json: { isFavorited: false } },
  });
  renderAt({ routes, boot });
  await waitFor(() => expect(isFilled('Old lamp')).toBe(true));
  expect(isFilled('New lamp')).toBe(false);
});

test('a click on a heart that is empty only because its status has not arrived removes nothing', async () => {
  let isLate = true;
  const { asked } = fakeApi({
    'GET /api/ads/1/favorite-status': () => (isLate ? { status: 503 } : { json: { isFavorited: true } }),
    'GET /api/ads/2/favorite-status': { json: { isFavorited: false } },
    'POST /api/ads/2/favorite': { json: { isFavorited: true, postedToX: false } },
  });
  renderAt({ routes, boot });
  await waitFor(() => expect(asked).toHaveLength(2));
  isLate = false;
  fireEvent.click(heart('Old lamp'));
  await waitFor(() => expect(isFilled('Old lamp')).toBe(true));
  expect(asked).not.toContain('POST /api/ads/1/favorite');
  fireEvent.click(heart('New lamp'));
  await screen.findByText('Added to favorites');
  expect(asked).toContain('POST /api/ads/2/favorite');
});

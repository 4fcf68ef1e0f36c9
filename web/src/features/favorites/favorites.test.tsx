import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { SignInProvider } from '../auth/sign-in.tsx';
import { FavoriteButton, FavoritesProvider } from './favorites.tsx';

afterEach(() => vi.restoreAllMocks());

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

/** A visitor presses a heart and chooses `answer` in the sign-in dialog. */
const saveSignedOut = async (answer: 'Continue with X' | 'Close') => {
  const signedOut = [{ path: '/', element: <SignInProvider>{routes[0]!.element}</SignInProvider> }];
  renderAt({ routes: signedOut });
  fireEvent.click(heart('Old lamp'));
  fireEvent.click(await screen.findByRole('button', { name: answer }));
  cleanup();
};
const signedIn = { me: sampleMe(), data: { '/api/user/favorite-ids': ['2'] } };
const SAVE = 'POST /api/ads/1/favorite';

test('a heart that is refused because the session has ended says so once, and offers to sign in', async () => {
  fakeApi({ [SAVE]: { status: 401, json: { code: 'unauthenticated', message: 'Not signed in', requestId: 'r' } } });
  renderAt({ routes: [{ path: '/', element: <SignInProvider>{routes[0]!.element}</SignInProvider> }], boot: signedIn });
  fireEvent.click(heart('Old lamp'));
  expect(await screen.findByRole('button', { name: 'Continue with X' })).toBeDefined();
  expect(screen.getAllByText('Please log in to add favorites')).toHaveLength(1);
});

test('a heart that a visitor pressed is saved after signing in, once', async () => {
  const { asked } = fakeApi({ [SAVE]: { json: { isFavorited: true, postedToX: false } } });
  await saveSignedOut('Continue with X');
  renderAt({ routes, boot: signedIn });
  await screen.findByText('Added to favorites');
  cleanup();
  renderAt({ routes, boot: signedIn });
  expect(asked.filter((name) => name === SAVE)).toHaveLength(1);
});

test.each([
  ['the dialog was closed', 'Close', 0, ['2']],
  ['it took longer than a quarter of an hour', 'Continue with X', 16 * 60_000, ['2']],
  ['it is saved already', 'Continue with X', 0, ['1', '2']],
] as const)('nothing is saved where %s', async (_, answer, later, saved) => {
  const { asked } = fakeApi({});
  await saveSignedOut(answer);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + later);
  renderAt({ routes, boot: { me: sampleMe(), data: { '/api/user/favorite-ids': [...saved] } } });
  expect(sessionStorage.getItem('intent')).toBeNull();
  expect(asked).toEqual([]);
});

import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { changeList } from '../../../hooks/use-list.ts';
import { CategoriesPage } from '../../../pages/categories.tsx';
import { HomePage } from '../../../pages/home.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { renderAt } from '../../../test/render-at.tsx';

const STATS = { '/api/stats': { activeAds: 1, users: 1, categories: 25 }, '/api/categories/stats?by=slug': {} };

/** Without `act` of the Testing Library, which would draw the next list before the next choice. */
const choose = async (choice: () => void): Promise<void> => {
  choice();
  await new Promise<void>(queueMicrotask);
};
const click = (role: 'button' | 'link', name: string) => choose(() => screen.getByRole(role, { name }).click());
const searchFor = (words: string) =>
  choose(() => {
    const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search ads' });
    field.value = words;
    field.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });

test('an address becomes the one of the list with other filters, and that of another page the one of a list', () => {
  expect(changeList('/?condition=good', { search: 'oak' })).toBe('/?condition=good&search=oak');
  expect(changeList('/?category=books', { search: 'oak' })).toBe('/?category=books&search=oak');
  expect(changeList('/categories?category=books', { search: 'oak' })).toBe('/categories?category=books&search=oak');
  expect(changeList('/categories?category=books&search=oak', { category: '' })).toBe('/?search=oak');
  expect(changeList('/dashboard?tab=saved&search=ash', { search: 'oak' })).toBe('/?search=oak');
  const sorted = '/?condition=good&search=ash&sort=price_asc';
  expect(changeList(sorted, { category: 'books' }, true)).toBe('/?category=books&sort=price_asc');
});

test('choices that follow each other at once are all in the address, whichever part of the page they come from', async () => {
  fakeApi({});
  const { router } = renderAt({
    routes: [{ path: '/', element: <HomePage /> }],
    at: '/?condition=good&sort=price_asc&withPhotos=true',
    boot: { data: STATS },
  });
  const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
  const shown = heading();
  await click('button', 'Remove filter Good');
  expect(screen.queryByRole('button', { name: 'Remove filter Good' }), 'shown at once').toBeNull();
  await searchFor('oak');
  await click('link', 'Books & Media');
  expect(heading(), 'the page is still the first one').toBe(shown);
  expect(router.state.location.search).toBe('?category=books&search=oak&sort=price_asc&withPhotos=true');
  await click('button', 'Clear');
  await searchFor('ash');
  expect(router.state.location.search).toBe('?search=ash&sort=price_asc');
  await act(() => router.navigate(-1));
  expect(router.state.location.search, 'each is an entry of its own').toBe('?sort=price_asc');
});

test('a search builds on the list whose page is still on its way', async () => {
  fakeApi({});
  let arrive: (page: { Component: typeof HomePage }) => void = () => {};
  const code = new Promise<{ Component: typeof HomePage }>((resolve) => {
    arrive = resolve;
  });
  const { router } = renderAt({
    routes: [
      { path: '/categories', element: <CategoriesPage /> },
      { path: '/', lazy: () => code },
    ],
    at: '/categories?category=books&condition=good',
    boot: { data: STATS },
  });
  await click('button', 'Remove filter Books & Media');
  expect(router.state.location.pathname).toBe('/categories');
  await searchFor('oak');
  await act(async () => arrive({ Component: HomePage }));
  await waitFor(() => expect(router.state.location.search).toBe('?condition=good&search=oak'));
  expect(router.state.location.pathname).toBe('/');
});

import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';
import type { SavedSearch } from '../../../../contract/saved-searches.ts';
import { SavedSearchPage } from '../../pages/saved-search.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { SignInProvider } from '../auth/sign-in.tsx';
import { describeSearch, proposeName } from './describe-search.ts';
import { SaveSearchButton } from './save-search-button.tsx';
import { SavedSearches } from './saved-searches.tsx';

const me = sampleMe({ id: '1' });
const SOFAS: SavedSearch = {
  id: '7',
  name: 'Sofas',
  frequency: 'daily',
  filters: { category: 'furniture', search: 'sofa' },
  newCount: 3,
  createdAt: '2026-01-05T10:00:00.000Z',
};
const LIST = 'GET /api/saved-searches';
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

const openButton = (viewer: typeof me | null) => {
  const element = (
    <SignInProvider>
      <SaveSearchButton filters={{ search: 'sofa', maxPrice: '300' }} />
    </SignInProvider>
  );
  renderAt({ routes: [{ path: '/', element }], boot: { me: viewer } });
  press('Save this search');
};

test('the button saves the search with a name made of its filters', async () => {
  let body: unknown;
  let searches: SavedSearch[] = [];
  fakeApi({
    [LIST]: () => ({ json: searches }),
    'POST /api/saved-searches': async (request) => {
      body = await request.json();
      const saved = { ...SOFAS, filters: { maxPrice: '300', search: 'sofa' } };
      searches = [saved];
      return { status: 201, json: saved };
    },
    'DELETE /api/saved-searches/7': () => {
      searches = [];
      return { status: 204 };
    },
  });
  openButton(me);
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('sofa, up to $300');
  fireEvent.change(name, { target: { value: 'Cheap sofas' } });
  fireEvent.click(screen.getByLabelText(/^Daily/));
  press('Save Search');
  expect(await screen.findByText('Search saved')).toBeDefined();
  expect(body).toEqual({ name: 'Cheap sofas', frequency: 'daily', filters: { search: 'sofa', maxPrice: '300' } });
  fireEvent.click(await screen.findByRole('button', { name: /^Saved ✓/ }));
  expect(await screen.findByRole('button', { name: 'Save this search' })).toBeDefined();
});

test('the dialog stays open with the reason if the search is refused', async () => {
  const message = 'You can save at most 20 searches. Delete one of them first.';
  fakeApi({
    [LIST]: { json: [] },
    'POST /api/saved-searches': { status: 409, json: { code: 'conflict', message, requestId: 'r' } },
  });
  openButton(me);
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: ' ' } });
  press('Save Search');
  expect(await screen.findByText('Name is required')).toBeDefined();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Sofas' } });
  press('Save Search');
  expect(await screen.findByText(message)).toBeDefined();
});

test('a visitor is asked to sign in', async () => {
  fakeApi({});
  openButton(null);
  expect(await screen.findByRole('button', { name: 'Continue with X' })).toBeDefined();
});

const openSection = () => renderAt({ routes: [{ path: '/', element: <SavedSearches /> }], boot: { me } });

test('the section shows each search with its new ads, and changes and deletes it', async () => {
  let searches = [SOFAS];
  const { asked } = fakeApi({
    [LIST]: () => ({ json: searches }),
    'PATCH /api/saved-searches/7': async (request) => {
      searches = [{ ...SOFAS, ...(await request.json()) }];
      return { json: searches[0] };
    },
    'DELETE /api/saved-searches/7': () => {
      searches = [];
      return { status: 204 };
    },
  });
  openSection();
  const link = await screen.findByRole('link', { name: 'Sofas' });
  expect(link.getAttribute('href')).toBe('/saved-searches/7');
  expect(screen.getByText('3 new')).toBeDefined();
  expect(screen.getByText('“sofa” · Furniture · Notifies daily')).toBeDefined();
  press('Edit Sofas');
  fireEvent.click(await screen.findByLabelText(/^Never/));
  press('Save Changes');
  expect(await screen.findByText('“sofa” · Furniture · Does not notify')).toBeDefined();
  press('Delete Sofas');
  expect(asked).not.toContain('DELETE /api/saved-searches/7');
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(/You have no saved searches/)).toBeDefined();
});

test('a search in a disabled category has the name of the category', async () => {
  fakeApi({
    [LIST]: { json: [{ ...SOFAS, filters: { category: 'attic-7' } }] },
    'GET /api/categories/attic-7?language=en': { json: { slug: 'attic-7', name: 'Attic Finds', emoji: '📦' } },
  });
  openSection();
  expect(await screen.findByText('Attic Finds · Notifies daily')).toBeDefined();
});

test('a failure to load the searches offers to try again', async () => {
  const { answers } = fakeApi({ [LIST]: { status: 500, json: { code: 'internal_error', message: 'x' } } });
  openSection();
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answers[LIST] = { json: [SOFAS] };
  fireEvent.click(retry);
  expect(await screen.findByText('Sofas')).toBeDefined();
});

const ShowAddress = () => {
  const { pathname, search } = useLocation();
  return <p>{pathname + search}</p>;
};
const openSearch = (id: string) =>
  renderAt({
    routes: [
      { path: '/categories', element: <ShowAddress /> },
      { path: '/saved-searches/:id', element: <SavedSearchPage /> },
    ],
    at: `/saved-searches/${id}`,
    boot: { me },
  });

test('opening a search leads to the list with its filters and marks it as seen', async () => {
  const { asked } = fakeApi({ [LIST]: { json: [SOFAS] }, 'POST /api/saved-searches/7/seen': { status: 204 } });
  openSearch('7');
  expect(await screen.findByText('/categories?category=furniture&search=sofa')).toBeDefined();
  await waitFor(() => expect(asked).toContain('POST /api/saved-searches/7/seen'));
});

test('a deleted search leads to the others', async () => {
  fakeApi({ [LIST]: { json: [SOFAS] } });
  openSearch('8');
  expect(await screen.findByText('Saved search not found')).toBeDefined();
});

const names = { category: 'Vehicles', place: 'Berlin', distanceUnit: 'miles' } as const;

test('filters are described with the words and units of the site', () => {
  const filters = {
    category: 'vehicles',
    condition: 'new,like_new',
    'd.fuel': 'diesel',
    'd.mileage.max': '120000',
    'd.year.min': '2010',
    showSold: 'true',
    maxPrice: '50',
    minPrice: '10.50',
    near: '2950159',
    radius: '25',
    priceType: 'negotiable',
    withPhotos: 'true',
  };
  expect(describeSearch(filters, names)).toEqual([
    'Vehicles',
    'from $10.50',
    'up to $50',
    'Negotiable',
    'within 25 miles of Berlin',
    'New, Like new',
    'show sold',
    'with photos',
    'Year: from 2010',
    'Mileage: up to 120,000 miles',
    'Fuel: Diesel',
  ]);
  expect(describeSearch({ category: 'vehicles' }, names)).toEqual(['Vehicles']);
});

test('a name has all filters within the limit, and cuts no character in two', () => {
  expect(proposeName({ search: 'sofa', maxPrice: '300' }, names)).toBe('sofa, up to $300');
  const name = proposeName({ search: `${'a'.repeat(98)}👩‍👩‍👧`, maxPrice: '300' }, names);
  expect(name).toBe('a'.repeat(98));
});

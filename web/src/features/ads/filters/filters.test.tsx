import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { applyChanges, type FilterName } from '../../../../../contract/filters.ts';
import { HomePage } from '../../../pages/home.tsx';
import { type Answers, fakeApi } from '../../../test/fake-api.ts';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleAd } from '../../../test/samples.ts';

const STATS = { '/api/stats': { activeAds: 1, users: 1, categories: 25 }, '/api/categories/stats?by=slug': {} };
const SALEM = { id: '5750162', name: 'Salem', region: 'Oregon', country: 'US', label: 'Salem, Oregon, US' };
const found = (total: number, ads = total > 0 ? [sampleAd()] : []) => ({
  json: ads,
  headers: { 'X-Total-Count': String(total) },
});

const open = (at: string, answers: Answers = {}) => {
  const api = fakeApi({ 'GET /api/places/5750162': { json: SALEM }, ...answers });
  const { router } = renderAt({ routes: [{ path: '/', element: <HomePage /> }], at, boot: { data: STATS } });
  return { api, getSearch: () => decodeURIComponent(router.state.location.search), router };
};

const openSheet = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }));
  return within(await screen.findByRole('dialog', { name: 'Filters' }));
};

test('another category drops details, and no place drops the radius and the order by distance', () => {
  const filters = { category: 'vehicles', 'd.make': 'Volvo', near: '1', radius: '25', sort: 'nearest' };
  expect(applyChanges(filters, { category: 'books' })).toEqual({
    category: 'books',
    near: '1',
    radius: '25',
    sort: 'nearest',
  });
  expect(applyChanges(filters, { near: '' })).toEqual({ category: 'vehicles', 'd.make': 'Volvo' });
  expect(applyChanges({ ...filters, sort: 'price_asc' }, { near: '' })).toMatchObject({ sort: 'price_asc' });
});

test('every filter is a chip, and Clear leaves only the order', async () => {
  const filters =
    'condition=good,new&d.year.min=2010&near=5750162&priceType=free&radius=25&showSold=true&withPhotos=true';
  const at = `/?category=vehicles&${filters}&sort=price_asc`;
  const { getSearch } = open(at, {
    [`GET /api/ads?${new URLSearchParams(at.slice(2))}`]: found(3),
    'GET /api/ads?sort=price_asc': found(9),
  });
  await screen.findByText('Within 25 km of Salem');
  await screen.findByText('Year: from 2010');
  const chips = within(screen.getByRole('list', { name: 'Applied filters' })).getAllByRole('button');
  expect(chips.map((chip) => chip.textContent)).toEqual([
    'Vehicles',
    'Free',
    'Within 25 km of Salem',
    'Good, New',
    'Show sold',
    'With photos',
    'Year: from 2010',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(getSearch()).toBe('?sort=price_asc'));
});

/** Its value in the address, the label of its control, and what that shows; `true`: it is checked. */
const CONTROLS: Record<
  Exclude<FilterName, 'exact' | 'hideSold'>,
  [value: string, label: string, shows: string | true]
> = {
  search: ['oak', 'Search ads', 'oak'],
  category: ['vehicles', 'Category', 'vehicles'],
  minPrice: ['10', 'Min price', '10'],
  maxPrice: ['90', 'Max price', '90'],
  priceType: ['free', 'Free', true],
  near: ['5750162', 'Near', 'Salem, Oregon, US'],
  radius: ['50', 'Distance', '50'],
  condition: ['good', 'Good', true],
  showSold: ['true', 'Show sold', true],
  withPhotos: ['true', 'With photos', true],
  sort: ['price_asc', 'Sort by', 'price_asc'],
};

test('every filter of the address has a control that shows it', async () => {
  const filters = Object.entries(CONTROLS).map(([name, [value]]) => [name, value]);
  open(`/?${new URLSearchParams(filters)}`);
  await openSheet();
  const shown = (label: string) =>
    screen.getAllByLabelText<HTMLInputElement>(label).map((field) => field.checked || field.value);
  await waitFor(() => {
    for (const [, label, shows] of Object.values(CONTROLS))
      expect([label, shown(label)]).toEqual([label, expect.arrayContaining([shows])]);
  });
});

test('a disabled category is called by its name: heading, chip, select and title', async () => {
  const attic = { slug: 'attic-7', name: 'Attic Finds', emoji: '📦' };
  const { api } = open('/?category=attic-7', {
    'GET /api/categories/attic-7?language=en': { json: attic },
    'GET /api/ads?category=attic-7': found(1),
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Attic Finds' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Remove filter Attic Finds' })).toBeDefined();
  expect(screen.getByLabelText<HTMLSelectElement>('Category').selectedOptions[0]?.textContent).toBe('Attic Finds');
  expect(document.title).toBe('Attic Finds ads | Tradepost');
  expect(screen.queryByText(/attic-7/)).toBeNull();
  expect(api.asked.filter((call) => call.includes('/api/categories/attic'))).toHaveLength(1);
});

test('choices in the sheet are applied at once, its button says how many ads there are, and Back undoes them', async () => {
  const { getSearch, router } = open('/', {
    'GET /api/ads': found(40),
    'GET /api/ads?condition=good': found(12),
    'GET /api/ads?condition=like_new%2Cgood': found(15),
    'GET /api/ads?category=vehicles&condition=like_new%2Cgood': found(1),
    'GET /api/ads?category=vehicles&condition=like_new%2Cgood&d.fuel=diesel': found(0),
  });
  await screen.findByText('Showing 40 results');
  const sheet = await openSheet();
  fireEvent.click(sheet.getByLabelText('Good'));
  await sheet.findByRole('button', { name: 'Show 12 ads' });
  fireEvent.click(sheet.getByLabelText('Like new'));
  await sheet.findByRole('button', { name: 'Show 15 ads' });
  fireEvent.change(sheet.getByLabelText('Category'), { target: { value: 'vehicles' } });
  await sheet.findByRole('button', { name: 'Show 1 ad' });
  fireEvent.click(sheet.getByRole('button', { name: 'Show 1 ad' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(getSearch()).toBe('?category=vehicles&condition=like_new,good');
  await router.navigate(-1);
  await waitFor(() => expect(getSearch()).toBe(''));
});

test('limits of the price are read as people write them, in fields and in addresses', async () => {
  const { getSearch } = open('/?maxPrice=1.250,50', {
    'GET /api/ads?maxPrice=1250.50': found(3),
    'GET /api/ads?maxPrice=1250.50&minPrice=12.5': found(2),
  });
  expect(screen.getByText('Up to $1,250.50')).toBeDefined();
  const min = screen.getByLabelText<HTMLInputElement>('Min price');
  fireEvent.change(min, { target: { value: '12,5' } });
  fireEvent.keyDown(min, { key: 'Enter' });
  await screen.findByRole('heading', { level: 1, name: '2 results' });
  expect(getSearch()).toBe('?maxPrice=1250.50&minPrice=12.5');
  // Still being typed.
  expect(min.value).toBe('12,5');
  fireEvent.blur(min);
  expect(min.value).toBe('12.5');
  fireEvent.change(min, { target: { value: '1.250' } });
  expect(screen.getByText('Prices must be numbers, such as 25 or 1,250')).toBeDefined();
});

test('the browser’s position becomes the nearest place, and a refusal says what to do', async () => {
  const position = { coords: { latitude: 44.9, longitude: -123 } };
  let answer: 'allow' | 'deny' = 'deny';
  vi.stubGlobal('navigator', {
    onLine: true,
    geolocation: {
      getCurrentPosition: (resolve: (found: object) => void, reject: (error: object) => void) =>
        answer === 'allow' ? resolve(position) : reject({ code: 1 }),
    },
  });
  const bodies: unknown[] = [];
  const { getSearch } = open('/', {
    'GET /api/ads': found(40),
    'POST /api/places/nearest': async (request) => {
      bodies.push(await request.json());
      return { json: SALEM };
    },
    'GET /api/ads?near=5750162&radius=25': found(4),
  });
  const sheet = await openSheet();
  fireEvent.click(sheet.getByRole('button', { name: 'Use my location' }));
  await sheet.findByText('Your browser does not share your location. Allow it there, or type a city.');
  answer = 'allow';
  fireEvent.click(sheet.getByRole('button', { name: 'Use my location' }));
  await waitFor(() => expect(getSearch()).toBe('?near=5750162&radius=25'));
  expect(bodies).toEqual([{ lat: 44.9, lng: -123 }]);
  expect(await sheet.findByDisplayValue('Salem, Oregon, US')).toBeDefined();
});

test('the order is in the address alone: links to another category keep it, and a link without one has none', async () => {
  const { getSearch, router } = open('/', {
    'GET /api/ads': found(40),
    'GET /api/ads?sort=price_asc': found(40),
    'GET /api/ads?category=furniture&sort=price_asc': found(4),
  });
  const sort = screen.getByLabelText<HTMLSelectElement>('Sort by');
  fireEvent.change(sort, { target: { value: 'price_asc' } });
  await waitFor(() => expect(getSearch()).toBe('?sort=price_asc'));
  fireEvent.click(screen.getByRole('link', { name: /Furniture/ }));
  await screen.findByText('4 ads found');
  expect(getSearch()).toBe('?category=furniture&sort=price_asc');
  await act(() => router.navigate('/'));
  await screen.findByText('Showing 40 results');
  expect([getSearch(), sort.value]).toEqual(['', 'newest']);
  await act(() => router.navigate(-1));
  expect(sort.value).toBe('price_asc');
  fireEvent.change(sort, { target: { value: 'newest' } });
  await waitFor(() => expect(getSearch()).toBe('?category=furniture'));
  expect(screen.queryByRole('option', { name: 'Nearest' })).toBeNull();
});

test('one tap chooses a range of prices, instead of what was typed, and a second one clears it', async () => {
  const { getSearch } = open('/?minPrice=75');
  const sheet = await openSheet();
  const ranges = within(sheet.getByRole('list', { name: 'Price ranges' })).getAllByRole('button');
  expect(ranges.map(({ textContent }) => textContent)).toEqual([
    'up to $50',
    'up to $200',
    'up to $1,000',
    'from $1,000',
  ]);
  const upTo50 = sheet.getByRole('button', { name: 'up to $50' });
  fireEvent.click(upTo50);
  await waitFor(() => expect(getSearch()).toBe('?maxPrice=50'));
  expect(upTo50.getAttribute('aria-pressed')).toBe('true');
  expect(sheet.getByLabelText<HTMLInputElement>('Max price').value).toBe('50');
  fireEvent.click(sheet.getByRole('button', { name: 'from $1,000' }));
  await waitFor(() => expect(getSearch()).toBe('?minPrice=1000'));
  fireEvent.click(sheet.getByRole('button', { name: 'from $1,000' }));
  await waitFor(() => expect(getSearch()).toBe(''));
});

test('the ranges of prices follow the category', async () => {
  open('/?category=books');
  const sheet = await openSheet();
  const listRanges = () =>
    within(sheet.getByRole('list', { name: 'Price ranges' }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
  expect(listRanges()).toEqual(['up to $5', 'up to $10', 'up to $30', 'from $30']);
  fireEvent.change(sheet.getByLabelText('Category'), { target: { value: '' } });
  await waitFor(() => expect(listRanges()).toEqual(['up to $50', 'up to $200', 'up to $1,000', 'from $1,000']));
});

test('changes that come at once build on each other', async () => {
  const { getSearch } = open('/?sort=price_asc');
  const enter = (label: string, value: string) => {
    const field = screen.getByLabelText(label);
    fireEvent.change(field, { target: { value } });
    return () => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  };
  const [applyMin, applyMax] = [enter('Min price', '5'), enter('Max price', '9')];
  applyMin();
  applyMax();
  await waitFor(() => expect(getSearch()).toBe('?maxPrice=9&minPrice=5&sort=price_asc'));
});

test('a pause after a blank does not eat the blank: “land ”, then “rover”, asks for “land rover”', async () => {
  const { getSearch, router } = open('/?category=vehicles');
  const field = (await openSheet()).getByLabelText<HTMLInputElement>('Make');
  const type = (text: string) => {
    for (const character of text) fireEvent.change(field, { target: { value: field.value + character } });
  };
  type('land ');
  await waitFor(() => expect(getSearch()).toBe('?category=vehicles&d.make=land'));
  expect(field.value).toBe('land ');
  type('rover');
  await waitFor(() => expect(getSearch()).toBe('?category=vehicles&d.make=land+rover'));
  expect(field.value).toBe('land rover');
  await act(() => router.navigate('/?category=vehicles'));
  expect(field.value).toBe('');
});

test('what is typed while a filter is being applied is not overwritten', async () => {
  const { router } = open('/');
  const field = screen.getByLabelText<HTMLInputElement>('Max price');
  fireEvent.change(field, { target: { value: '9' } });
  await act(async () => {
    fireEvent.change(field, { target: { value: '95' } });
    await router.navigate('/?maxPrice=9', { replace: true });
  });
  expect(field.value).toBe('95');
});

test('the place that is chosen is remembered: the chip applies it, the sheet shows it, and both forget it', async () => {
  const { getSearch, router } = open('/', { 'GET /api/places?q=sal': { json: [SALEM] } });
  expect(screen.queryByRole('link', { name: /^Near/ })).toBeNull();
  let sheet = await openSheet();
  const near = () => sheet.getByLabelText<HTMLInputElement>('Near');
  act(() => near().focus());
  fireEvent.input(near(), { target: { value: 'sal' } });
  fireEvent.click(await sheet.findByRole('option', { name: /Salem/ }));
  await waitFor(() => expect(getSearch()).toBe('?near=5750162&radius=25'));
  const distance = sheet.getByLabelText<HTMLSelectElement>('Distance');
  await waitFor(() => expect(distance.disabled).toBe(false));
  fireEvent.change(distance, { target: { value: '50' } });
  await waitFor(() => expect(getSearch()).toBe('?near=5750162&radius=50'));
  fireEvent.click(sheet.getByRole('button', { name: 'Close filters' }));
  const chip = await screen.findByRole('link', { name: 'Near Salem · 50 km' });
  expect(chip.getAttribute('aria-current')).toBe('true');
  await act(() => router.navigate('/?condition=good'));
  expect(chip.getAttribute('aria-current')).toBeNull();
  sheet = await openSheet();
  await waitFor(() => expect(near().value).toBe('Salem, Oregon, US'));
  expect(sheet.getByLabelText<HTMLSelectElement>('Distance').value, 'the list has no place').toBe('');
  fireEvent.click(sheet.getByRole('button', { name: 'Close filters' }));
  fireEvent.click(chip);
  await waitFor(() => expect(getSearch()).toBe('?condition=good&near=5750162&radius=50'));
  fireEvent.click(screen.getByRole('button', { name: 'Forget Salem' }));
  await waitFor(() => expect(getSearch()).toBe('?condition=good'));
  expect(screen.queryByRole('link', { name: /^Near/ })).toBeNull();
  expect(localStorage.getItem('place')).toBeNull();
});

test('Back undoes each use of the sheet', async () => {
  const { getSearch, router } = open('/');
  const use = async (...labels: string[]) => {
    const sheet = await openSheet();
    for (const label of labels) fireEvent.click(sheet.getByLabelText(label));
    fireEvent.click(sheet.getByRole('button', { name: 'Close filters' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await use('Good', 'Show sold');
  await use('With photos');
  expect(getSearch()).toBe('?condition=good&showSold=true&withPhotos=true');
  await act(() => router.navigate(-1));
  expect(getSearch()).toBe('?condition=good&showSold=true');
  await act(() => router.navigate(-1));
  expect(getSearch()).toBe('');
  await act(() => router.navigate(1));
  expect(getSearch()).toBe('?condition=good&showSold=true');
});

test('a filter that is chosen while the browser looks for its position stays', async () => {
  let find: (position: object) => void = () => {};
  vi.stubGlobal('navigator', {
    onLine: true,
    geolocation: {
      getCurrentPosition: (resolve: typeof find) => {
        find = resolve;
      },
    },
  });
  const { getSearch } = open('/', { 'POST /api/places/nearest': { json: SALEM } });
  const sheet = await openSheet();
  fireEvent.click(sheet.getByRole('button', { name: 'Use my location' }));
  fireEvent.click(sheet.getByLabelText('Good'));
  find({ coords: { latitude: 44.9, longitude: -123 } });
  await waitFor(() => expect(getSearch()).toBe('?condition=good&near=5750162&radius=25'));
});

test('where nothing is found, it says what to loosen, with the number of ads that this brings', async () => {
  const { getSearch } = open('/?condition=new&near=5750162&radius=25', {
    'GET /api/ads?condition=new&near=5750162&radius=25': found(0),
    'GET /api/ads?condition=new&limit=1&near=5750162&radius=50': found(3),
    'GET /api/ads?condition=new&limit=1': found(0),
    'GET /api/ads?limit=1&near=5750162&radius=25': found(8),
    'GET /api/ads?condition=new&near=5750162&radius=50': found(3),
  });
  expect(await screen.findByRole('button', { name: '8 ads without “New”' })).toBeDefined();
  expect(screen.queryByText(/without “Within/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '3 ads within 50 km' }));
  await waitFor(() => expect(getSearch()).toBe('?condition=new&near=5750162&radius=50'));
});

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SCROLL_TO_RESULTS } from '../hooks/use-list.ts';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd, sampleMe } from '../test/samples.ts';
import { CategoriesPage } from './categories.tsx';
import { HomePage } from './home.tsx';

const routes = [{ path: '/', element: <HomePage /> }];
const STATS = { '/api/stats': { activeAds: 1234, users: 56, categories: 25 }, '/api/categories/stats?by=slug': {} };
const paged = (items: unknown[], total = items.length, totalExact = true) => ({ items, next: null, total, totalExact });

test('shows eight placeholders until the ads are there', async () => {
  fakeApi({ 'GET /api/ads': { json: [sampleAd()] } });
  const { container } = renderAt({ routes, boot: { data: STATS } });
  expect(container.querySelectorAll('[data-slot=ad-card-skeleton]')).toHaveLength(8);
  expect(await screen.findByRole('link', { name: 'Oak table' })).toBeDefined();
});

test('tells how many ads there are, also beyond where counting stops', () => {
  fakeApi({});
  renderAt({ routes, boot: { data: { ...STATS, '/api/ads': paged([sampleAd()], 1000, false) } } });
  expect(screen.getByText('Showing 1,000+ results')).toBeDefined();
});

test.each([
  [{ activeAds: 1234, users: 567 }, '1,234 Active Ads · 567 Happy Users · 25 Categories'],
  [{ activeAds: 100, users: 99 }, '100 Active Ads · 25 Categories'],
  [{ activeAds: 99, users: 5000 }, '99 ads in 2 categories'],
])('figures that are too small to impress are no figures: of %j it says “%s”', (stats, text) => {
  fakeApi({});
  const counts = { '/api/categories/stats?by=slug': { furniture: 90, vehicles: 9, photography: 0 } };
  renderAt({
    routes,
    boot: { data: { '/api/stats': { ...stats, categories: 25 }, ...counts, '/api/ads': paged([]) } },
  });
  expect(screen.getByText(text)).toBeDefined();
});

test('the headline is for visitors', () => {
  fakeApi({});
  const data = { ...STATS, '/api/ads': paged([sampleAd()]) };
  renderAt({ routes, boot: { data, me: sampleMe() } });
  expect(screen.getByRole('heading', { level: 1, name: 'Latest Ads' })).toBeDefined();
  expect(screen.getByRole('heading', { level: 2, name: 'Ads' }), 'above those of the cards').toBeDefined();
  expect(screen.queryByText(/Buy and sell|Active Ads|marketplace/)).toBeNull();
});

test('says what to do when nothing fits, and clears the filters', async () => {
  fakeApi({ 'GET /api/ads': { json: [sampleAd()] } });
  const data = { ...STATS, '/api/ads?search=zebra': paged([]) };
  const { router } = renderAt({ routes, at: '/?search=zebra', boot: { data } });
  expect(screen.getByText('No ads found')).toBeDefined();
  expect(screen.getByText('Try adjusting your search filters or check back later.')).toBeDefined();
  fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

test('each applied filter is a chip that takes it away again', async () => {
  fakeApi({ 'GET /api/ads?category=furniture': { json: [sampleAd()] } });
  const data = { ...STATS, '/api/ads?category=furniture&maxPrice=200': paged([sampleAd()]) };
  const { router } = renderAt({ routes, at: '/?category=furniture&maxPrice=200', boot: { data } });
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Up to $200' }));
  await waitFor(() => expect(router.state.location.search).toBe('?category=furniture'));
});

test('a price range upside down is explained and not asked for', () => {
  const api = fakeApi({});
  renderAt({ routes, at: '/?maxPrice=5&minPrice=50', boot: { data: STATS } });
  expect(screen.getByText('The lowest price is above the highest')).toBeDefined();
  expect(api.asked).toEqual([]);
});

test('a price range that is not asked for has no more ads, though those of before stay', async () => {
  fakeApi({});
  const first = { ...paged([sampleAd()], 303), next: '/api/ads?cursor=c1' };
  const { router } = renderAt({ routes, boot: { data: { ...STATS, '/api/ads': first } } });
  expect(screen.getByRole('button', { name: 'Load More Ads' })).toBeDefined();
  await act(() => router.navigate('/?maxPrice=5&minPrice=50'));
  expect(screen.getByRole('link', { name: 'Oak table' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Load More Ads' })).toBeNull();
});

test('a failure says so and can be tried again', async () => {
  const api = fakeApi({
    'GET /api/ads': { status: 503, json: { message: 'Away', code: 'overloaded', requestId: 'r' } },
  });
  renderAt({ routes, boot: { data: STATS } });
  expect(await screen.findByText('Failed to fetch ads')).toBeDefined();
  api.answers['GET /api/ads'] = { json: [sampleAd()] };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Oak table' })).toBeDefined();
});

test('a failure does not keep the number of what was shown before', async () => {
  fakeApi({
    'GET /api/ads?search=sofa': { status: 503, json: { message: 'Away', code: 'overloaded', requestId: 'r' } },
  });
  const { router } = renderAt({ routes, boot: { data: { ...STATS, '/api/ads': paged([sampleAd()], 303) } } });
  expect(screen.getByText('Showing 303 results')).toBeDefined();
  await act(() => router.navigate('/?search=sofa'));
  expect(await screen.findByText('Failed to fetch ads')).toBeDefined();
  expect(screen.queryByText(/\d results?$/)).toBeNull();
});

test('says which words were put right, and offers those that were typed, with the other filters kept', async () => {
  fakeApi({});
  const data = {
    ...STATS,
    '/api/ads?category=furniture&search=sofaa': { ...paged([sampleAd()]), search: 'sofa', match: 'all' },
  };
  renderAt({ routes, at: '/?category=furniture&search=sofaa', boot: { data } });
  const instead = await screen.findByRole('link', { name: 'Search for sofaa instead.' });
  expect(instead.closest('[role=status]')?.textContent).toBe('Showing results for sofa. Search for sofaa instead.');
  expect(instead.getAttribute('href')).toBe('/?category=furniture&exact=true&search=sofaa');
  expect(screen.getByText('sofa', { selector: 'b' })).toBeDefined();
});

test('reads from the headers of the list what was searched for, and says nothing of it while another list loads', async () => {
  let answer: (reply: { json: unknown[] }) => void = () => {};
  fakeApi({
    'GET /api/ads?search=sofaa': {
      json: [sampleAd()],
      headers: { 'X-Search-Query': 'caf%C3%A9%20table', 'X-Search-Match': 'all' },
    },
    'GET /api/ads?search=lamp': () => new Promise((resolve) => (answer = resolve)),
  });
  const { router } = renderAt({ routes, at: '/?search=sofaa', boot: { data: STATS } });
  expect(await screen.findByText('café table')).toBeDefined();
  await act(() => router.navigate('/?search=lamp'));
  expect(screen.getByRole('link', { name: 'Oak table' })).toBeDefined();
  expect(screen.queryByText('café table')).toBeNull();
  await act(async () => answer({ json: [] }));
});

test('says above the ads that they have some of the words only', async () => {
  fakeApi({});
  const data = { ...STATS, '/api/ads?search=oak+zebra': { ...paged([sampleAd()]), match: 'some' } };
  renderAt({ routes, at: '/?search=oak+zebra', boot: { data } });
  const note = await screen.findByText('No ad has all of these words. Ads with some of them:');
  expect(note.closest('[role=status]')).not.toBeNull();
  expect(note.compareDocumentPosition(screen.getByRole('link', { name: 'Oak table' }))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
});

test('a search that found what was typed is shown without a word about it', () => {
  const api = fakeApi({});
  const data = { ...STATS, '/api/ads?search=sofa': { ...paged([sampleAd()]), match: 'all' } };
  renderAt({ routes, at: '/?search=sofa', boot: { data } });
  expect(screen.queryByText(/Showing results for|some of them|Type a word/)).toBeNull();
  expect(api.asked).toEqual([]);
});

test('a search without a word asks for one beside the latest ads, and cannot be saved', () => {
  const api = fakeApi({});
  const data = { ...STATS, '/api/ads': paged([sampleAd()]) };
  renderAt({ routes, at: '/?search=!!!&sort=best', boot: { data } });
  expect(screen.getByText('Type a word to search for.').closest('[role=status]')).not.toBeNull();
  expect(screen.getByRole('link', { name: 'Oak table' })).toBeDefined();
  expect(screen.getByLabelText<HTMLSelectElement>('Sort by').value).toBe('newest');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Search ads' }).value).toBe('!!!');
  expect(screen.queryByRole('button', { name: 'Save this search' })).toBeNull();
  expect(api.asked).toEqual([]);
});

test('where nothing is found, four categories with most ads lead on', async () => {
  fakeApi({});
  const counts = { furniture: 9, vehicles: 8, photography: 7, books: 6, electronics: 5, 'home-garden': 4 };
  const data = { '/api/stats': STATS['/api/stats'], '/api/categories/stats?by=slug': counts };
  renderAt({
    routes,
    at: '/?category=vehicles&search=zebra',
    boot: { data: { ...data, '/api/ads?category=vehicles&search=zebra': paged([]) } },
  });
  const others = within(await screen.findByRole('navigation', { name: 'Other categories' })).getAllByRole('link');
  expect(others.map((link) => link.getAttribute('href'))).toEqual([
    '/categories?category=furniture',
    '/categories?category=photography',
    '/categories?category=books',
    '/categories?category=electronics',
  ]);
});

test('where nothing is found, categories that have the words come first, then those with such a name', async () => {
  const inCategories = [{ search: 'photo', category: 'Other', categorySlug: 'other', count: 2 }];
  const categories = [{ slug: 'photography', name: 'Photography', emoji: '📷' }];
  fakeApi({ 'GET /api/search/suggestions?search=photo': { json: { searches: [], inCategories, categories } } });
  const list = '/api/ads?condition=new&search=photo';
  const data = {
    '/api/stats': STATS['/api/stats'],
    '/api/categories/stats?by=slug': { furniture: 9 },
    [list]: paged([]),
  };
  renderAt({ routes, at: '/?condition=new&search=photo', boot: { data } });
  const others = await screen.findByRole('navigation', { name: 'Other categories' });
  const lead = () =>
    within(others)
      .getAllByRole('link')
      .slice(0, 3)
      .map((link) => link.getAttribute('href'));
  await waitFor(() =>
    expect(lead()).toEqual([
      '/categories?category=other&search=photo',
      '/categories?category=photography',
      '/categories?category=furniture',
    ]),
  );
});

/** Where the results begin, how often they were brought into view, and frames by hand. */
const watchScrolling = () => {
  const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(() => {});
  const place = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect');
  onTestFinished(() => {
    for (const spy of [scrolled, place]) spy.mockRestore();
  });
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  return {
    startAt: (top: number) => place.mockReturnValue(new DOMRect(0, top, 300, 900)),
    take: () => {
      for (const frame of frames.splice(0)) frame();
      return scrolled.mock.contexts
        .splice(0)
        .map((element) => (element as HTMLElement).getAttribute('aria-labelledby'));
    },
    scrolled,
  };
};

test.each([
  ['above the window', -300, true],
  ['in the upper half of it', 200, false],
  ['below that', 600, true],
])(
  'a search whose results begin %s brings them into view: %s; a filter in an address does not',
  async (_, top, scrolls) => {
    fakeApi({});
    const { startAt, take, scrolled } = watchScrolling();
    startAt(top);
    const data = {
      ...STATS,
      '/api/ads': paged([]),
      '/api/ads?search=sofa': paged([]),
      '/api/ads?maxPrice=9': paged([]),
    };
    const { router } = renderAt({ routes, boot: { data } });
    await act(() => router.navigate('/?search=sofa', { state: SCROLL_TO_RESULTS }));
    expect(scrolled, 'not before the header has its height').not.toHaveBeenCalled();
    expect(take()).toEqual(scrolls ? ['results'] : []);
    await act(() => router.navigate('/?maxPrice=9'));
    await act(() => router.navigate(-1));
    expect(router.state.location.search).toBe('?search=sofa');
    expect(take()).toEqual([]);
  },
);

test('a chosen category or filter brings the results into view, and what is typed does not', async () => {
  fakeApi({});
  const { startAt, take } = watchScrolling();
  startAt(-2000);
  const lists = ['', '?category=furniture', '?category=vehicles', '?category=vehicles&maxPrice=9'];
  const found = Object.fromEntries(lists.map((at) => [`/api/ads${at}`, paged([sampleAd()])]));
  const { router } = renderAt({ routes, boot: { data: { ...STATS, ...found } } });
  fireEvent.click(screen.getByRole('link', { name: /Furniture/ }));
  await waitFor(() => expect(router.state.location.search).toBe('?category=furniture'));
  expect(take()).toEqual(['results']);
  fireEvent.change(screen.getByLabelText('Category'), { target: { value: 'vehicles' } });
  await waitFor(() => expect(router.state.location.search).toBe('?category=vehicles'));
  expect(take()).toEqual(['results']);
  const price = screen.getByLabelText('Max price');
  fireEvent.change(price, { target: { value: '9' } });
  fireEvent.keyDown(price, { key: 'Enter' });
  await waitFor(() => expect(router.state.location.search).toBe('?category=vehicles&maxPrice=9'));
  expect(take()).toEqual([]);
});

test('the focus stays near a filter that is removed or cleared', async () => {
  fakeApi({});
  const data = {
    ...STATS,
    '/api/ads?category=furniture&search=zebra': paged([], 0),
    '/api/ads?search=zebra': paged([], 99),
    '/api/ads': paged([], 0),
  };
  renderAt({
    routes,
    at: '/?category=furniture&search=zebra',
    boot: { data },
  });
  const press = async (name: string) => {
    const button = screen.getByRole('button', { name });
    button.focus();
    await act(async () => fireEvent.click(button));
  };
  await press('Remove filter Furniture');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Results for “zebra”' }).parentElement);
  await press('Clear filters');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Latest Ads' }).parentElement);
});

test('“Clear” keeps the focus', async () => {
  fakeApi({});
  const data = { ...STATS, '/api/ads?maxPrice=9': paged([]), '/api/ads': paged([]) };
  const { router } = renderAt({ routes, at: '/?maxPrice=9', boot: { data } });
  const button = screen.getByRole('button', { name: 'Clear' });
  button.focus();
  await act(async () => fireEvent.click(button));
  await waitFor(() => expect(router.state.location.search).toBe(''));
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.hasAttribute('disabled')).toBe(false);
});

test('a category keeps the words, prices, place and order of the search, as the select beside it does', () => {
  fakeApi({});
  const at = '/?d.fuel=diesel&maxPrice=300&near=5750162&radius=25&search=oak&sort=price_asc&category=vehicles';
  renderAt({ routes, at, boot: { data: STATS } });
  const chip = screen.getByRole('link', { name: /Furniture/ });
  const search = new URLSearchParams(chip.getAttribute('href')?.slice(2));
  search.sort();
  // A detail belongs to its category.
  expect(search.toString()).toBe('category=furniture&maxPrice=300&near=5750162&radius=25&search=oak&sort=price_asc');
});

test.each([
  ['/', 'Latest Ads'],
  ['/?sort=newest', 'Latest Ads'],
  ['/?sort=price_asc', 'Ads'],
])('without a filter, at %s, the headline stays and the list is called %s', (at, name) => {
  fakeApi({});
  renderAt({ routes, at, boot: { data: { ...STATS, [`/api/ads${at.slice(1)}`]: paged([sampleAd()]) } } });
  expect(screen.getByRole('heading', { level: 1, name: 'Buy and sell with people on X' })).toBeDefined();
  expect(screen.getByRole('heading', { level: 2, name })).toBeDefined();
  expect(screen.getByText('Showing 1 result')).toBeDefined();
});

test.each([
  ['?category=furniture', 12, 'Furniture', '12 ads found'],
  ['?category=furniture', 1, 'Furniture', '1 ad found'],
  ['?category=furniture&maxPrice=9', 2, 'Furniture', '2 ads found'],
  ['?search=bicycle', 12, 'Results for “bicycle”', '12 results'],
  ['?category=furniture&search=bicycle&sort=price_asc', 1, 'Results for “bicycle”', '1 result'],
  ['?maxPrice=9', 12, '12 results', '12 results'],
  ['?sort=price_asc&withPhotos=true', 1, '1 result', '1 result'],
  ['?category=vehicles&d.fuel=diesel', 0, 'Vehicles', '0 ads found'],
])(
  'at /%s with %i ads, their heading in place of the headline is “%s”, and once it says “%s”',
  (at, total, name, count) => {
    fakeApi({ 'GET /api/search/correction?search=bicycle': { json: { correction: null } } });
    const ads = total > 0 ? [sampleAd()] : [];
    renderAt({ routes, at: `/${at}`, boot: { data: { ...STATS, [`/api/ads${at}`]: paged(ads, total) } } });
    expect(screen.getByRole('heading', { level: 1 })).toBe(screen.getByRole('heading', { level: 1, name }));
    expect(screen.getByRole('region', { name })).toBeDefined();
    expect(screen.getAllByText(count)).toHaveLength(1);
    expect(screen.queryByText(/Active Ads/)).toBeNull();
    expect(screen.queryByText('Latest Ads')).toBeNull();
  },
);

test.each(['/', '/categories'])(
  'with a category, the list at %s has its heading, its count and all filters',
  async (path) => {
    fakeApi({ 'GET /api/ads?category=furniture&maxPrice=9': { json: [], headers: { 'X-Total-Count': '0' } } });
    const data = { ...STATS, '/api/ads?category=furniture': paged([sampleAd()]) };
    const pages = [...routes, { path: '/categories', element: <CategoriesPage /> }];
    const { router } = renderAt({ routes: pages, at: `${path}?category=furniture`, boot: { data } });
    expect(screen.getByRole('heading', { level: 1, name: 'Furniture' })).toBeDefined();
    expect(screen.getByText('1 ad found')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to Categories' }).getAttribute('href')).toBe('/categories');
    expect(document.title).toBe('Furniture ads | Tradepost');
    const price = screen.getByLabelText('Max price');
    fireEvent.change(price, { target: { value: '9' } });
    fireEvent.keyDown(price, { key: 'Enter' });
    expect(await screen.findByText('No ads found in Furniture')).toBeDefined();
    expect(await screen.findByRole('button', { name: 'Post Your Ad' })).toBeDefined();
    const popular = within(screen.getByRole('navigation', { name: 'Popular categories' }));
    expect(popular.getByRole('link', { name: /Vehicles/ }).getAttribute('href')).toBe(
      `${path}?category=vehicles&maxPrice=9`,
    );
    expect(router.state.location.pathname).toBe(path);
    fireEvent.click(screen.getByRole('button', { name: 'Remove filter Furniture' }));
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/', search: '?maxPrice=9' }));
  },
);

test('a category whose ads cannot be had says so beside its name', async () => {
  fakeApi({ 'GET /api/ads?category=furniture': { status: 503, json: {} } });
  renderAt({ routes, at: '/?category=furniture', boot: { data: STATS } });
  expect(await screen.findByText('Error loading ads')).toBeDefined();
});

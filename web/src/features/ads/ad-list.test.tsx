import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useSearchParams } from 'react-router-dom';
import { expect, test, vi } from 'vitest';
import { listAds } from '../../../../contract/ads.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { Announcer } from '../../lib/announcer.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAd } from '../../test/samples.ts';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { AdList } from './ad-list.tsx';

const List = () => {
  const search = useSearchParams()[0].get('search') ?? undefined;
  const pages = useInfiniteApiQuery(listAds, { query: { search } }, { keepPreviousData: true });
  return (
    <main tabIndex={-1}>
      <AdList pages={pages} skeletons={1} empty={null} />
      <LoadMoreButton list={pages} />
      <input aria-label="Elsewhere" />
      <Announcer />
    </main>
  );
};
const ad = (id: string) => sampleAd({ id, title: `Ad ${id}` });
const paged = (ids: string[], next: string | null) => ({ items: ids.map(ad), next, total: 3, totalExact: true });
const FIRST = paged(['9', '8'], '/api/ads?cursor=c1');
const open = (data: Record<string, unknown> = {}) =>
  renderAt({ routes: [{ path: '/', element: <List /> }], boot: { data: { '/api/ads': FIRST, ...data } } });
const more = () => screen.getByRole('button', { name: 'Load More Ads' });
const said = () => document.getElementById('announcer')?.textContent;

test('the focus goes to the first of the ads that came, and their number is said', async () => {
  fakeApi({ 'GET /api/ads?cursor=c1': { json: [ad('7')] } });
  open();
  fireEvent.click(more());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Ad 7' })));
  expect(said()).toBe('1 more ads loaded');
});

test('a focus on what surrounds the list has not moved on: Safari leaves it there when the button is pressed', async () => {
  fakeApi({ 'GET /api/ads?cursor=c1': { json: [ad('7')] } });
  open();
  screen.getByRole('main').focus();
  expect(document.activeElement).toBe(screen.getByRole('main'));
  fireEvent.click(more());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Ad 7' })));
});

test('a person who types elsewhere by the time the ads come keeps the focus there', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  fakeApi({ 'GET /api/ads?cursor=c1': () => promise.then(() => ({ json: [ad('7')] })) });
  open();
  more().focus();
  fireEvent.click(more());
  screen.getByLabelText('Elsewhere').focus();
  resolve();
  expect(await screen.findByRole('link', { name: 'Ad 7' })).toBeDefined();
  await waitFor(() => expect(said()).toBe('1 more ads loaded'));
  expect(document.activeElement).toBe(screen.getByLabelText('Elsewhere'));
});

test('the list before lends its rest to none that failed', async () => {
  fakeApi({ 'GET /api/ads?search=sofa': { status: 503 } });
  const { router } = open();
  await act(() => router.navigate('/?search=sofa'));
  expect(await screen.findByText('Failed to fetch ads')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});

test('a list that is on screen while the next one loads is not continued, and its buttons say so', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const api = fakeApi({
    'GET /api/ads?search=sofa': () => promise.then(() => ({ json: ['5', '4', '3'].map(ad) })),
  });
  const { router } = open();
  await act(() => router.navigate('/?search=sofa'));
  for (const button of [more(), screen.getByRole('button', { name: 'Load more' })]) {
    expect(button.getAttribute('aria-disabled')).toBe('true');
    button.focus();
    fireEvent.click(button);
  }
  resolve();
  expect(await screen.findByRole('link', { name: 'Ad 5' })).toBeDefined();
  expect(screen.getAllByRole('link')).not.toContain(document.activeElement);
  expect(said()).toBe('');
  expect(api.asked).toEqual(['GET /api/ads?search=sofa']);
});

test('a page requested before the list changed moves no focus in the new one and is not announced', async () => {
  const { promise, resolve } = Promise.withResolvers<{ json: unknown }>();
  fakeApi({ 'GET /api/ads?cursor=c1': () => promise });
  const { router } = open({ '/api/ads?search=sofa': paged(['5', '4', '3'], '/api/ads?cursor=c2') });
  fireEvent.click(more());
  await act(() => router.navigate('/?search=sofa'));
  resolve({ json: [ad('7')] });
  await waitFor(() => expect(more().hasAttribute('aria-disabled')).toBe(false));
  expect(document.activeElement).toBe(document.body);
  expect(said()).toBe('');
});

test.each(['Load More Ads', 'Load more'])('“%s” says when nothing came, and can be tried again', async (name) => {
  const api = fakeApi({ 'GET /api/ads?cursor=c1': { status: 503 } });
  open();
  fireEvent.click(screen.getByRole('button', { name }));
  expect(await screen.findByText(/^Failed to /)).toBeDefined();
  api.answers['GET /api/ads?cursor=c1'] = { json: [ad('7')] };
  fireEvent.click(screen.getByRole('button', { name }));
  expect(await screen.findByRole('link', { name: 'Ad 7' })).toBeDefined();
});

test('after the button, four pages load while one scrolls, and then it is asked for again', async () => {
  let reachEnd = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
        reachEnd = () => notify([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {
        reachEnd = () => {};
      }
    },
  );
  const next = (page: number) => ({
    json: [ad(String(100 - page))],
    headers: { Link: `</api/ads?cursor=c${page + 1}>; rel="next"` },
  });
  const api = fakeApi(
    Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((page) => [`GET /api/ads?cursor=c${page}`, next(page)])),
  );
  open();
  reachEnd();
  expect(api.asked, 'not by itself').toEqual([]);
  fireEvent.click(more());
  await screen.findByRole('link', { name: 'Ad 99' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Ad 99' })));
  for (const id of ['98', '97', '96', '95']) {
    await act(async () => reachEnd());
    await screen.findByRole('link', { name: `Ad ${id}` });
  }
  await act(async () => reachEnd());
  expect(api.asked).toHaveLength(5);
  expect(document.activeElement, 'scrolling moves no focus').toBe(screen.getByRole('link', { name: 'Ad 99' }));
  fireEvent.click(more());
  expect(await screen.findByRole('link', { name: 'Ad 94' })).toBeDefined();
});

test('a page that does not come while one scrolls is not asked for again and again', async () => {
  const ends: (() => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
        ends.push(() => notify([{ isIntersecting: true }]));
      }
      observe() {}
      disconnect() {}
    },
  );
  const api = fakeApi({
    'GET /api/ads?cursor=c1': { json: [ad('7')], headers: { Link: '</api/ads?cursor=c2>; rel="next"' } },
    'GET /api/ads?cursor=c2': { status: 503 },
  });
  open();
  fireEvent.click(more());
  await screen.findByRole('link', { name: 'Ad 7' });
  await waitFor(() => expect(ends).toHaveLength(1));
  await act(async () => ends[0]?.());
  expect(await screen.findByText('Failed to fetch ads')).toBeDefined();
  expect([ends.length, api.asked.length]).toEqual([1, 2]);
});

test('offline, the list that is there stays when another one cannot be read, and online it is replaced', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fakeApi({ 'GET /api/ads?search=oak': () => Promise.reject(new TypeError('Failed to fetch')) });
  const { router } = open();
  await act(() => router.navigate('/?search=oak'));
  expect((await screen.findByRole('alert')).textContent).toContain('You are offline');
  expect(screen.getByRole('link', { name: 'Ad 9' })).toBeDefined();
  onLine.mockRestore();
  fakeApi({ 'GET /api/ads?search=oak': { json: [ad('5')] } });
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByRole('link', { name: 'Ad 5' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Ad 9' })).toBeNull();
});

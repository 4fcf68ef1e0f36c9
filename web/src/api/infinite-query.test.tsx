import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { expect, test } from 'vitest';
import { listAds } from '../../../contract/ads.ts';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd } from '../test/samples.ts';
import { useInfiniteApiQuery, useInvalidateQueries } from './query.ts';

const List = ({ isKept = false }: { isKept?: boolean }) => {
  const search = useSearchParams()[0].get('search') ?? undefined;
  const {
    data: items,
    total,
    hasMore,
    loadMore,
  } = useInfiniteApiQuery(listAds, { query: { search } }, { keepPreviousData: isKept });
  const refresh = useInvalidateQueries();
  const [loaded, setLoaded] = useState<number>();
  return (
    <>
      <p>{items ? `${items.map(({ id }) => id).join(' ')} of ${total}` : 'loading'}</p>
      {hasMore ? (
        <button type="button" onClick={async () => setLoaded(await loadMore())}>
          more
        </button>
      ) : null}
      <output>{loaded}</output>
      <button type="button" onClick={() => void refresh('ads')}>
        refresh
      </button>
    </>
  );
};
const Invalidate = () => {
  const invalidate = useInvalidateQueries();
  return (
    <button type="button" onClick={() => void invalidate('ads')}>
      invalidate
    </button>
  );
};
const routes = [
  { path: '/', element: <List /> },
  { path: '/kept', element: <List isKept /> },
  { path: '/elsewhere', element: <p>elsewhere</p> },
];
const FIRST = { items: [sampleAd({ id: '9' })], next: '/api/ads?cursor=c1', total: 2, totalExact: true };
const SECOND = { json: [sampleAd({ id: '8' })] };

test('what came with the page is asked for no more; the next page is appended', async () => {
  const api = fakeApi({ 'GET /api/ads?cursor=c1': SECOND });
  renderAt({ routes, boot: { data: { '/api/ads': FIRST } } });
  expect(screen.getByText('9 of 2')).toBeDefined();
  expect(api.asked).toEqual([]);
  fireEvent.click(screen.getByText('more'));
  expect(await screen.findByText('9 8 of 2')).toBeDefined();
  expect(screen.queryByText('more')).toBeNull();
  expect(api.asked).toEqual(['GET /api/ads?cursor=c1']);
});

test('coming back shows all loaded pages without a request', async () => {
  const api = fakeApi({ 'GET /api/ads?cursor=c1': SECOND });
  const { router } = renderAt({ routes, boot: { data: { '/api/ads': FIRST } } });
  fireEvent.click(screen.getByText('more'));
  await screen.findByText('9 8 of 2');
  await router.navigate('/elsewhere');
  await screen.findByText('elsewhere');
  await router.navigate(-1);
  expect(await screen.findByText('9 8 of 2')).toBeDefined();
  expect(api.asked).toHaveLength(1);
});

test('after a write the list is fetched again, with what its headers say', async () => {
  const headers = { Link: '</api/ads?cursor=c2>; rel="next"', 'X-Total-Count': '3' };
  const api = fakeApi({ 'GET /api/ads': { json: [sampleAd({ id: '10' })], headers } });
  renderAt({ routes, boot: { data: { '/api/ads': FIRST } } });
  fireEvent.click(screen.getByText('refresh'));
  expect(await screen.findByText('10 of 3')).toBeDefined();
  expect(screen.getByText('more')).toBeDefined();
  expect(api.asked).toEqual(['GET /api/ads']);
});

test('a list that stays on screen while it is fetched again is not continued meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const headers = { 'X-Total-Count': '1' };
  const api = fakeApi({ 'GET /api/ads': () => promise.then(() => ({ json: [sampleAd({ id: '10' })], headers })) });
  renderAt({ routes, at: '/kept', boot: { data: { '/api/ads': FIRST } } });
  fireEvent.click(screen.getByText('refresh'));
  await waitFor(() => expect(api.asked).toEqual(['GET /api/ads']));
  expect(screen.getByText('9 of 2')).toBeDefined();
  fireEvent.click(screen.getByText('more'));
  resolve();
  expect(await screen.findByText('10 of 1')).toBeDefined();
  expect(api.asked).toEqual(['GET /api/ads']);
});

test('what continues a list that was left meanwhile does not get into the one that is there now', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof SECOND>();
  fakeApi({ 'GET /api/ads?cursor=c1': () => promise });
  const sofas = { items: [sampleAd({ id: '5' })], next: null, total: 1, totalExact: true };
  const { router } = renderAt({ routes, boot: { data: { '/api/ads': FIRST, '/api/ads?search=sofa': sofas } } });
  fireEvent.click(screen.getByText('more'));
  await act(() => router.navigate('/?search=sofa'));
  expect(screen.getByText('5 of 1')).toBeDefined();
  resolve(SECOND);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('0'));
  expect(screen.getByText('5 of 1')).toBeDefined();
});

test('what continues a list that is fetched again meanwhile does not stand in the way of that', async () => {
  const [rest, second] = [Promise.withResolvers<typeof SECOND>(), Promise.withResolvers<void>()];
  const headers = { 'X-Total-Count': '1' };
  const api = fakeApi({
    'GET /api/ads?cursor=c1': () => rest.promise,
    'GET /api/ads': () => second.promise.then(() => ({ json: [sampleAd({ id: '10' })], headers })),
  });
  renderAt({ routes, at: '/kept', boot: { data: { '/api/ads': FIRST } } });
  fireEvent.click(screen.getByText('more'));
  fireEvent.click(screen.getByText('refresh'));
  await waitFor(() => expect(api.asked).toContain('GET /api/ads'));
  rest.resolve(SECOND);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('0'));
  second.resolve();
  expect(await screen.findByText('10 of 1')).toBeDefined();
});

test('after a write, a list on screen fetches all its loaded pages again and stays visible meanwhile', async () => {
  const next = { Link: '</api/ads?cursor=c1>; rel="next"' };
  const api = fakeApi({
    'GET /api/ads?cursor=c1': SECOND,
    'GET /api/ads': { json: [sampleAd({ id: '9' })], headers: next },
  });
  renderAt({ routes, boot: { data: { '/api/ads': FIRST } } });
  fireEvent.click(screen.getByText('more'));
  await screen.findByText('9 8 of 2');
  const seen: (string | null)[] = [];
  const list = screen.getByText('9 8 of 2');
  new MutationObserver(() => seen.push(list.textContent)).observe(list, { subtree: true, characterData: true });
  api.answers['GET /api/ads?cursor=c1'] = { json: [sampleAd({ id: '7' })] };
  fireEvent.click(screen.getByText('refresh'));
  expect(await screen.findByText('9 7 of null')).toBeDefined();
  expect(seen).not.toContain('loading');
});

test('after a write, a list off screen is shown as it was and fetched again with all its pages', async () => {
  const next = { Link: '</api/ads?cursor=c1>; rel="next"' };
  const api = fakeApi({
    'GET /api/ads?cursor=c1': SECOND,
    'GET /api/ads': { json: [sampleAd({ id: '9' })], headers: next },
  });
  const elsewhere = { path: '/elsewhere', element: <Invalidate /> };
  const { router } = renderAt({
    routes: [...routes.slice(0, 2), elsewhere],
    boot: { data: { '/api/ads': FIRST } },
  });
  fireEvent.click(screen.getByText('more'));
  await screen.findByText('9 8 of 2');
  await act(() => router.navigate('/elsewhere'));
  fireEvent.click(screen.getByText('invalidate'));
  api.answers['GET /api/ads?cursor=c1'] = { json: [sampleAd({ id: '7' })] };
  await act(() => router.navigate(-1));
  expect(await screen.findByText('9 7 of null')).toBeDefined();
});

import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Link, useParams } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { listAds, updateAd } from '../../../contract/ads.ts';
import { toUrl } from '../../../contract/initial-state.ts';
import { listCategories } from '../../../contract/stats.ts';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd } from '../test/samples.ts';
import { ListSection } from '../ui/list-section.tsx';
import { useApiMutation, useInfiniteApiQuery } from './query.ts';
import { useFormQuery } from './uncached-query.ts';

const List = ({ category }: { category?: string }) => {
  const list = useInfiniteApiQuery(listAds, { query: { category } });
  const update = useApiMutation(updateAd);
  return (
    <>
      <ListSection id="list" title="List" list={list} skeleton="h-1" failureTitle="Failed to fetch ads" empty="none">
        {(ad) => <li key={ad.id}>{ad.title}</li>}
      </ListSection>
      <button type="button" onClick={() => void update({ params: { id: '1' } })}>
        change
      </button>
    </>
  );
};
const Page = () => {
  const { category } = useParams();
  return <List {...(category && { category })} />;
};
const routes = [
  // The same element, whose key changes.
  { path: '/:category?', element: <Page /> },
  { path: '/elsewhere', element: <Link to="/">back</Link> },
];

const ALL = toUrl(listAds, { query: {} });
const FURNITURE = toUrl(listAds, { query: { category: 'Furniture' } });
const titled = (title: string) => ({ json: [sampleAd({ title })] });
const failed = { status: 503, json: { message: 'Busy', code: 'overloaded', requestId: '' } };
const FRESH_MS = 60_000;

afterEach(() => void vi.useRealTimers());

const open = (answers = {}) => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const api = fakeApi({
    [`GET ${ALL}`]: titled('old'),
    [`GET ${FURNITURE}`]: titled('old furniture'),
    'PUT /api/ads/1': { json: sampleAd() },
    ...answers,
  });
  const { router } = renderAt({ routes });
  const go = (path: string) => act(() => router.navigate(path));
  const age = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const count = () => api.asked.filter((name) => name === `GET ${ALL}`).length;
  return { ...api, go, age, count };
};

test('within a minute nothing is read again; later it is, behind the data on screen', async () => {
  const { answers, go, age, count } = open();
  await screen.findByText('old');
  await go('/elsewhere');
  await age(FRESH_MS - 5000);
  await go('/');
  expect([screen.getByText('old') !== undefined, count()]).toEqual([true, 1]);
  await go('/elsewhere');
  await age(6000);
  answers[`GET ${ALL}`] = titled('new');
  await go('/');
  expect(await screen.findByText('new')).toBeDefined();
  expect(count()).toBe(2);
});

test('so it is when the browser is online again', async () => {
  const { answers, age, count } = open();
  await screen.findByText('old');
  act(() => void window.dispatchEvent(new Event('online')));
  expect(count()).toBe(1);
  await age(FRESH_MS + 1);
  answers[`GET ${ALL}`] = titled('new');
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('new')).toBeDefined();
});

test('a list that a write changed is read again when its page comes back', async () => {
  const { answers, go } = open();
  await screen.findByText('old');
  await go('/Furniture');
  await screen.findByText('old furniture');
  answers[`GET ${ALL}`] = titled('new');
  answers[`GET ${FURNITURE}`] = titled('new furniture');
  fireEvent.click(screen.getByText('change'));
  await screen.findByText('new furniture');
  await go('/');
  expect(await screen.findByText('new')).toBeDefined();
});

const Settings = () => {
  const { data } = useFormQuery(listCategories, {});
  return data ? <input aria-label="name" defaultValue={data[0]?.name} /> : null;
};

test('a form starts from what is saved now, and nothing replaces what is typed', async () => {
  const { answers, asked } = fakeApi({ 'GET /api/categories': { json: [{ slug: 'a', name: 'now', emoji: '' }] } });
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const cached = { '/api/categories': [{ slug: 'a', name: 'cached', emoji: '' }] };
  renderAt({ routes: [{ path: '/', element: <Settings /> }], boot: { data: cached } });
  const input = await screen.findByLabelText<HTMLInputElement>('name');
  expect(input.value).toBe('now');
  fireEvent.change(input, { target: { value: 'typed' } });
  answers['GET /api/categories'] = { json: [{ slug: 'a', name: 'later', emoji: '' }] };
  await act(() => vi.advanceTimersByTimeAsync(FRESH_MS + 1));
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect([screen.getByLabelText<HTMLInputElement>('name').value, asked.length]).toEqual(['typed', 1]);
});

test('a refresh that fails leaves the data, says so, can be tried again, and is not forgotten', async () => {
  const { answers, go } = open();
  await screen.findByText('old');
  answers[`GET ${ALL}`] = failed;
  fireEvent.click(screen.getByText('change'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('What you see may be old.'));
  expect(screen.getByText('old')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('old');
  await go('/elsewhere');
  answers[`GET ${ALL}`] = titled('new');
  await go('/');
  expect(await screen.findByText('new')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

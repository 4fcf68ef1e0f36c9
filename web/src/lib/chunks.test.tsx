import { expect, test, vi } from 'vitest';
import { importWithRetry, isChunkLoadError, reloadOnce } from './chunks.ts';

const lost = () => new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/home-1.js');
const answer = (status: number) => vi.stubGlobal('fetch', async () => new Response(null, { status }));
const fails = (times: number, error: Error = lost()) => {
  let left = times;
  return vi.fn(async () => {
    if (left-- > 0) throw error;
    return 'code';
  });
};
const AT_ONCE = [0, 0, 0];

test('code that a bad network lost is asked for again, three times at most', async () => {
  answer(200);
  expect(await importWithRetry(fails(3), AT_ONCE)).toBe('code');
  const load = fails(4);
  await expect(importWithRetry(load, AT_ONCE)).rejects.toSatisfy(isChunkLoadError);
  expect(load).toHaveBeenCalledTimes(4);
});

test('code that is gone, and code that fails by itself, are not', async () => {
  answer(404);
  const gone = fails(1);
  await expect(importWithRetry(gone, AT_ONCE)).rejects.toSatisfy(isChunkLoadError);
  answer(200);
  const broken = fails(1, new TypeError('x is not a function'));
  await expect(importWithRetry(broken, AT_ONCE)).rejects.toThrow('x is not a function');
  expect([gone, broken].map((load) => load.mock.calls.length)).toEqual([1, 1]);
});

test('without a network it waits until there is one', async () => {
  answer(200);
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const load = fails(1);
  const loading = importWithRetry(load, AT_ONCE);
  await vi.waitFor(() => expect(onLine).toHaveBeenCalled());
  expect(load).toHaveBeenCalledTimes(1);
  window.dispatchEvent(new Event('online'));
  expect(await loading).toBe('code');
  onLine.mockRestore();
});

test('a browser that remembers a failed module makes the page reload: the server has the code', async () => {
  const reload = vi.fn();
  vi.stubGlobal('reloadOnce', reload);
  answer(200);
  await expect(importWithRetry(fails(4), AT_ONCE)).rejects.toSatisfy(isChunkLoadError);
  expect(reload).toHaveBeenCalledTimes(1);
  answer(503);
  await expect(importWithRetry(fails(4), AT_ONCE)).rejects.toSatisfy(isChunkLoadError);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('typed text is kept for a reload only: otherwise it would come back with a later visit', () => {
  document.body.innerHTML = '<main id="main"><input id="subject"></main>';
  (document.getElementById('subject') as HTMLInputElement).value = 'A question';
  const kept = () => JSON.stringify({ ...sessionStorage }).includes('A question');
  vi.stubGlobal('reloadOnce', () => undefined);
  reloadOnce();
  expect(kept()).toBe(false);
  vi.stubGlobal('reloadOnce', () => true);
  reloadOnce();
  expect(kept()).toBe(true);
});

test('Safari, whose message names no file, reloads the page too, but not without a network', async () => {
  const reload = vi.fn();
  vi.stubGlobal('reloadOnce', reload);
  const nameless = () => fails(4, new TypeError('Importing a module script failed.'));
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Load failed')));
  await expect(importWithRetry(nameless(), AT_ONCE)).rejects.toSatisfy(isChunkLoadError);
  expect(reload).not.toHaveBeenCalled();
  answer(200);
  await expect(importWithRetry(nameless(), AT_ONCE)).rejects.toSatisfy(isChunkLoadError);
  expect(reload).toHaveBeenCalledTimes(1);
});

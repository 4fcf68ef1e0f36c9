import { expect, test, vi } from 'vitest';
import { createToggleQueue, type Outcome } from './favorites.tsx';

const settle = () => new Promise((resolve) => setTimeout(resolve));

const openServer = (isFavorited = false) => {
  let answer: (() => void) | undefined;
  const send = vi.fn(
    () =>
      new Promise<Outcome>((resolve) => {
        answer = () => {
          isFavorited = !isFavorited;
          resolve({ isFavorited, postedToX: false });
        };
      }),
  );
  return { send, answer: () => answer?.(), isFavorited: () => isFavorited };
};

test('one click is one call', async () => {
  const server = openServer();
  const outcome = createToggleQueue(server.send)('1', false, true);
  server.answer();
  expect(await outcome).toEqual({ isFavorited: true, postedToX: false });
  expect(server.send).toHaveBeenCalledTimes(1);
});

test('two quick clicks leave things as they were, whatever the order of the answers', async () => {
  const server = openServer();
  const toggle = createToggleQueue(server.send);
  const first = toggle('1', false, true);
  expect(await toggle('1', true, false)).toBeUndefined();
  server.answer();
  await settle();
  server.answer();
  expect(await first).toMatchObject({ isFavorited: false });
  expect(server.isFavorited()).toBe(false);
  expect(server.send).toHaveBeenCalledTimes(2);
});

test('three quick clicks need no third call', async () => {
  const server = openServer();
  const toggle = createToggleQueue(server.send);
  const first = toggle('1', false, true);
  void toggle('1', true, false);
  void toggle('1', false, true);
  server.answer();
  expect(await first).toMatchObject({ isFavorited: true });
  expect(server.send).toHaveBeenCalledTimes(1);
});

test('the hearts of two ads do not wait for one another', () => {
  const server = openServer();
  const toggle = createToggleQueue(server.send);
  void toggle('1', false, true);
  void toggle('2', false, true);
  expect(server.send.mock.calls).toEqual([['1'], ['2']]);
});

test('the first click learns of a failure, and the next click starts again', async () => {
  const send = vi.fn<() => Promise<Outcome>>().mockRejectedValueOnce(new Error('offline'));
  send.mockResolvedValue({ isFavorited: true, postedToX: true });
  const toggle = createToggleQueue(send);
  await expect(toggle('1', false, true)).rejects.toThrow('offline');
  expect(await toggle('1', false, true)).toEqual({ isFavorited: true, postedToX: true });
});

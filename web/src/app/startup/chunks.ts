import { type ComponentType, lazy } from 'react';
import type { RouteObject } from 'react-router-dom';
import { readStored, writeStored } from '../../lib/storage.ts';

// What Chromium and Firefox, Safari, and Vite's own loader say.
const CODE_FAILED = /dynamically imported module|module script failed|preload CSS/i;

/** Whether something failed because a piece of the page's code could not be had. */
export const isChunkLoadError = (error: unknown): error is Error =>
  error instanceof Error && CODE_FAILED.test(error.message);

/** Whether the server says that there is no such piece (any more), as after an upgrade. Safari does not tell which it was. */
const isGone = async ({ message }: Error): Promise<boolean> => {
  const url = /\S+\.(js|css)\b/.exec(message)?.[0];
  const reply = url ? await fetch(url, { method: 'HEAD' }).catch(() => undefined) : undefined;
  return reply?.status === 404;
};

const pause = async (ms: number): Promise<void> => {
  if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, ms));
};

/** Loads a piece of the page's code; what a bad network lost is asked for again, what is gone is not. */
export const importWithRetry = async <T>(load: () => Promise<T>, pauses = [300, 1000, 3000]): Promise<T> => {
  const [ms, ...rest] = pauses;
  try {
    return await load();
  } catch (error) {
    if (ms === undefined || !isChunkLoadError(error) || (await isGone(error))) throw error;
  }
  await pause(ms);
  return importWithRetry(load, rest);
};

/** A component whose code is loaded when it is first drawn; `instead` is drawn where that cannot be had. */
export const lazyWithRetry = <Props>(load: () => Promise<ComponentType<Props>>, instead?: ComponentType<Props>) =>
  lazy(async () => {
    const loading = importWithRetry(load);
    return { default: await (instead ? loading.catch(() => instead) : loading) };
  });

/** An event handler that fetches code ahead of its use; when that fails, the use itself will say so. */
export const preload = (load: () => Promise<unknown>) => (): void => {
  load().catch(() => {});
};

/** A route whose page is a chunk of its own. */
export const lazyPage = (load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: await importWithRetry(load) }),
});

const RELOADED = 'reloaded-for-chunk';
const ONCE_PER_MS = 60_000;

/**
 * After an upgrade of the server an open page may ask for a chunk that is gone; loading the page anew mends that. Once a
 * minute at most, so that a chunk that cannot be had at all ends on the error page instead of in a loop.
 */
export const reloadOnce = (): void => {
  if (Date.now() - Number(readStored('sessionStorage', RELOADED)) < ONCE_PER_MS) return;
  writeStored('sessionStorage', RELOADED, String(Date.now()));
  location.reload();
};

/** Makes something when it is first needed. Formats of Intl cost about a millisecond each, on phones several. */
export const lazyValue = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

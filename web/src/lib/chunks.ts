import { type ComponentType, createElement, type FunctionComponent, lazy, type ReactNode, Suspense } from 'react';
import type { RouteObject } from 'react-router-dom';
import { saveTypedText } from './storage.ts';

// The messages of Chromium and Firefox, of Safari, and of Vite's loader.
const CHUNK_LOAD_ERROR = /dynamically imported module|module script failed|preload CSS/i;

export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && CHUNK_LOAD_ERROR.test(error.message);

/**
 * The HTTP status of a chunk, or of this one, which is of the same build, if the message has no URL (Safari). Undefined
 * when offline: the browser's cache would hide that.
 */
const getChunkStatus = async ({ message }: Error): Promise<number | undefined> => {
  const url = /(?<!\S)\S+\.(js|css)\b/.exec(message)?.[0] ?? import.meta.url;
  const response = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  return response?.status;
};

const pause = async (ms: number): Promise<void> => {
  if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, ms));
};

/**
 * Loads a chunk and retries after network errors. Does not retry if the server no longer has the chunk. Some browsers
 * cache a failed module import and never request it again: then the page reloads once.
 */
export const importWithRetry = async <T>(load: () => Promise<T>, pauses = [300, 1000, 3000]): Promise<T> => {
  const [ms, ...rest] = pauses;
  try {
    return await load();
  } catch (error) {
    if (!isChunkLoadError(error)) throw error;
    const status = await getChunkStatus(error as Error);
    if (ms === undefined && status === 200) reloadOnce();
    if (ms === undefined || status === 404) throw error;
  }
  await pause(ms);
  return importWithRetry(load, rest);
};

/**
 * Reloads the page, at most once a minute, and keeps typed text. Implemented in index.html, which needs it before this
 * code loads.
 */
export const reloadOnce = (): void => {
  // The document lives until the reload begins. Without a reload, nothing is kept: it would return with a later visit.
  if ((window as { reloadOnce?: () => boolean | undefined }).reloadOnce?.()) saveTypedText();
};

/** Like `lazyWithRetry`, for a place that has its own Suspense. */
export const lazyContent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Failed?: ComponentType<Props>,
): FunctionComponent<Props> => {
  const Content = lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    const loading = importWithRetry(load);
    return { default: await (Failed ? loading.catch(() => Failed) : loading) };
  });
  return (props) => createElement(Content, props);
};

/**
 * A component whose code loads when it first renders: `pending` renders meanwhile, `Failed` if the code cannot be
 * loaded.
 */
export const lazyWithRetry = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Failed?: ComponentType<Props>,
  pending: ReactNode = null,
): FunctionComponent<Props> => {
  const Content = lazyContent(load, Failed);
  return (props) => createElement(Suspense, { fallback: pending }, createElement(Content, props));
};

/** Returns an event handler that preloads code. It ignores failures, because the use of the code reports them. */
export const preload = (load: () => Promise<unknown>) => (): void => {
  load().catch(() => {});
};

export const lazyPage = (load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: await importWithRetry(load) }),
});

import { type ComponentType, lazy } from 'react';
import type { RouteObject } from 'react-router-dom';
import { keepTypedText } from './typed-text.ts';

// Chromium and Firefox, Safari, Vite's own loader.
const CHUNK_LOAD_ERROR = /dynamically imported module|module script failed|preload CSS/i;

/** Whether an error says that a chunk could not be loaded. */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && CHUNK_LOAD_ERROR.test(error.message);

/** The status of a chunk on the server; undefined without a network, or where the message has no URL (Safari). */
const getChunkStatus = async ({ message }: Error): Promise<number | undefined> => {
  const url = /\S+\.(js|css)\b/.exec(message)?.[0];
  const response = url ? await fetch(url, { method: 'HEAD' }).catch(() => undefined) : undefined;
  return response?.status;
};

const pause = async (ms: number): Promise<void> => {
  if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, ms));
};

/**
 * Loads a chunk and tries again after network errors. A chunk that the server no longer has is not tried again. A browser
 * that remembers a failed module never asks for it again: then the page reloads once.
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

/** Reloads the page, at most once a minute, and keeps what was typed. The function is in index.html, which needs it first. */
export const reloadOnce = (): void => {
  keepTypedText();
  (window as { reloadOnce?: () => void }).reloadOnce?.();
};

/** A component whose code loads when it first renders; `fallback` renders where the code cannot be loaded. */
export const lazyWithRetry = <Props>(load: () => Promise<ComponentType<Props>>, fallback?: ComponentType<Props>) =>
  lazy(async () => {
    const loading = importWithRetry(load);
    return { default: await (fallback ? loading.catch(() => fallback) : loading) };
  });

/** An event handler that loads code ahead of its use, which reports a failure. */
export const preload = (load: () => Promise<unknown>) => (): void => {
  load().catch(() => {});
};

/** A route whose page is a chunk of its own. */
export const lazyPage = (load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: await importWithRetry(load) }),
});

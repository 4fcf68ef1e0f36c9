import { readStored, writeStored } from '../lib/storage.ts';

// What Chromium and Firefox, Safari, and Vite's own loader say.
const CHUNK_FAILED = /dynamically imported module|module script failed|preload CSS/i;
const RELOADED = 'reloaded-for-chunk';
const ONCE_PER_MS = 60_000;

/** Whether a page failed because a piece of its code could not be had. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && CHUNK_FAILED.test(error.message);

/**
 * After an upgrade of the server an open page may ask for a chunk that is gone; loading the page anew mends that. Once a
 * minute at most, so that a chunk that cannot be had at all ends on the error page instead of in a loop.
 */
export const reloadOnce = (): void => {
  if (Date.now() - Number(readStored('sessionStorage', RELOADED)) < ONCE_PER_MS) return;
  writeStored('sessionStorage', RELOADED, String(Date.now()));
  location.reload();
};

import { readStored, writeStored } from '../lib/storage.ts';

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

import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { readStored, writeStored } from '../lib/storage.ts';

/** A route whose page is a chunk of its own. */
export const lazyPage = (load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: await load() }),
});

const RELOADED = 'reloaded-for-chunk';
const ONCE_PER_MS = 60_000;

/**
 * After an upgrade of the server an open page may ask for a chunk that is gone. Reloading brings the new page; once a
 * minute at most, so that a chunk that cannot be had at all ends on the error page instead of in a loop.
 */
export const reloadOnStaleChunk = (): void => {
  window.addEventListener('vite:preloadError', (event) => {
    if (Date.now() - Number(readStored('sessionStorage', RELOADED)) < ONCE_PER_MS) return;
    event.preventDefault();
    writeStored('sessionStorage', RELOADED, String(Date.now()));
    location.reload();
  });
};

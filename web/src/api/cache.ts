import type { Cache, SWRConfiguration } from 'swr';
import type { Boot } from '../../../contract/boot.ts';
import { readStored } from '../lib/storage.ts';
import { MissingFromStart } from './api-error.ts';
import { ME_KEY } from './session.ts';

/** A test user comes in by a header that the page's own request did not have: the server rendered it for somebody else. */
export const isTestUser = ({ env }: Boot): boolean =>
  env.testUsers.length > 0 && readStored('localStorage', 'testUser') !== null;

/**
 * The cache as the page begins: with what the server sent along, so that the first screen asks for nothing. SWR's
 * `fallback` would not do: data that stands only there is fetched again by the first mutation.
 */
export const seedCache = (boot: Boot): Cache => {
  if (isTestUser(boot)) return new Map();
  const cache: Cache = new Map();
  for (const [key, data] of Object.entries({ ...boot.data, [ME_KEY]: boot.me })) cache.set(key, { data });
  for (const key of boot.missing ?? []) cache.set(key, { error: new MissingFromStart() });
  return cache;
};

/** Data is never stale, nothing is fetched again by itself and nothing is retried; polls are set where they belong. */
export const SWR_DEFAULTS: SWRConfiguration = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
  refreshInterval: 0,
};

import type { Cache, SWRConfiguration } from 'swr';
import type { Boot } from '../../../contract/boot.ts';
import { readStored } from '../lib/storage.ts';
import { ME_KEY } from './session.ts';

/**
 * The cache as the page begins: with what the server sent along, so that the first screen asks for nothing. SWR's
 * `fallback` would not do: data that stands only there is fetched again by the first mutation.
 */
export const seedCache = ({ env, me, data }: Boot): Cache => {
  // A test user comes in by a header that the page's own request did not have.
  const isSomebodyElse = env.testUsers.length > 0 && readStored('localStorage', 'testUser') !== null;
  const known = isSomebodyElse ? {} : { ...data, [ME_KEY]: me };
  return new Map(Object.entries(known).map(([key, value]) => [key, { data: value }]));
};

/** Data is never stale, nothing is fetched again by itself and nothing is retried; polls are set where they belong. */
export const SWR_DEFAULTS: SWRConfiguration = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
  refreshInterval: 0,
};

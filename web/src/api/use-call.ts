import { useEffect } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse, useSWRConfig } from 'swr';
import { type Paged, urlOf } from '../../../contract/boot.ts';
import type { EndpointSpec, ReplyOf } from '../../../contract/endpoint.ts';
import { type ApiError, MissingFromStart } from './api-error.ts';
import { fetchJson, fetchPage, type Target } from './client.ts';

/** What the cache holds of an endpoint: its reply, of a paged one with the headers' word on the rest. */
export type Cached<E extends EndpointSpec> = E extends { paged: true } ? Paged<ReplyOf<E>> : ReplyOf<E>;

/** GETs an endpoint as the cache holds it. */
export const fetchCached = <E extends EndpointSpec>(spec: E, target: Target<E> = {}): Promise<Cached<E>> =>
  (spec.paged ? fetchPage : fetchJson)(urlOf(spec, target)) as Promise<Cached<E>>;

/** Reads an endpoint through the cache, under its address; `null` reads nothing. */
export const useCall = <E extends EndpointSpec>(
  spec: E,
  target: Target<E> | null,
  options?: SWRConfiguration<Cached<E>, ApiError>,
): SWRResponse<Cached<E>, ApiError> => {
  const { cache } = useSWRConfig();
  const url = target && urlOf(spec, target);
  // The page came with the word that it is not there: asking once more would find the same.
  const error: unknown = url === null ? undefined : cache.get(url)?.error;
  const isMissing = error instanceof MissingFromStart && !error.isShown;
  useEffect(() => {
    if (isMissing) error.isShown = true;
  }, [isMissing, error]);
  return useSWR<Cached<E>, ApiError>(url, () => fetchCached(spec, target ?? {}), {
    ...options,
    ...(isMissing ? { revalidateOnMount: false } : {}),
  });
};

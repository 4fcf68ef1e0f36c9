import { useState } from 'react';
import useSWR, { type SWRResponse } from 'swr';
import type { BodyInput, EndpointSpec, ReplyOf } from '../../../contract/endpoint.ts';
import { toUrl } from '../../../contract/initial-state.ts';
import { type ApiError, apiRequest, createKey, type EndpointTarget } from './client.ts';
import { fetchForQuery, type QueryData } from './query.ts';

/**
 * Reads an endpoint for a form: what is saved now, not what is cached, and the same until the form closes, however often
 * the cache reads it again meanwhile. `before` comes before the read.
 */
export const useFormQuery = <E extends EndpointSpec>(
  spec: E,
  target: EndpointTarget<E> | null,
  before?: () => Promise<unknown>,
): SWRResponse<QueryData<E>, ApiError> => {
  const [opening] = useState(createKey);
  return useSWR<QueryData<E>, ApiError>(target && `${opening} ${toUrl(spec, target)}`, async () => {
    await before?.();
    return fetchForQuery(spec, target ?? {});
  });
};

/** Reads what a POST that changes nothing answers to this body. */
export const usePreview = <E extends EndpointSpec>(
  spec: E,
  body: BodyInput<E> | null,
  target: EndpointTarget<E> = {},
): SWRResponse<ReplyOf<E>> =>
  useSWR(body && [toUrl(spec, target), body], () => apiRequest(spec, { ...target, body: body as BodyInput<E> }), {
    keepPreviousData: true,
  });

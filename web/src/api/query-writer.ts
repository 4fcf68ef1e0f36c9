import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { toUrl } from '../../../contract/initial-state.ts';
import type { EndpointTarget } from './client.ts';
import type { QueryData } from './query.ts';

/** Returns a function that replaces the cached data of an endpoint. */
export const useQueryWriter = () => {
  const { mutate } = useSWRConfig();
  return useCallback(
    <E extends EndpointSpec>(
      spec: E,
      target: EndpointTarget<E>,
      data: QueryData<E> | ((now: QueryData<E> | undefined) => QueryData<E>),
      revalidate = false,
    ): Promise<unknown> => mutate(toUrl(spec, target), data, { revalidate }),
    [mutate],
  );
};

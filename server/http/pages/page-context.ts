import type { Ad } from '../../../contract/ads.ts';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import type { Config } from '../../config/load.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../policy.ts';
import type { CallEndpoint, EndpointInput, InternalResponse } from '../endpoints/internal-client.ts';
import { toAppError } from '../response/app-error.ts';
import type { Head } from './head.ts';

export interface PageContext {
  config: Config;
  actor: Actor;
  call: CallEndpoint;
  params: Record<string, string>;
  query: URLSearchParams;
  title: string;
}

export interface PageData {
  status?: 200 | 404;
  head: Head;
  data: readonly (Pick<InternalResponse<EndpointSpec>, 'url' | 'cached'> | undefined)[];
  missing?: string | undefined;
  viewed?: Ad;
}

export type BuildPage = (context: PageContext) => Promise<PageData>;

export const toMissingPage = (title: string, missing?: string): PageData => ({
  status: 404,
  head: { title, description: 'There is nothing at this address.', canonical: '/', noindex: true },
  data: [],
  missing,
});

export async function tryCall<E extends EndpointSpec>(
  call: CallEndpoint,
  spec: E,
  target?: EndpointInput<E>,
): Promise<InternalResponse<E> | undefined> {
  try {
    return await call(spec, target);
  } catch (error) {
    const { status } = toAppError(error);
    if (error instanceof AppError && status < 500) return undefined;
    throw error;
  }
}

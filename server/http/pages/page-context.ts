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
  /** The page's fixed title; empty where it depends on data. */
  title: string;
}

export interface PageData {
  status?: 200 | 404;
  head: Head;
  /** Responses for the browser's cache; the browser requests undefined ones itself. */
  data: readonly (Pick<InternalResponse<EndpointSpec>, 'url' | 'cached'> | undefined)[];
  /** The endpoint URL that has no response, where the page is about something that does not exist. */
  missing?: string | undefined;
  /** An ad that this page shows. Its view is counted for each request, not for each rendering. */
  viewed?: Ad;
}

export type BuildPage = (context: PageContext) => Promise<PageData>;

/** A page about something that does not exist: it looks like the site and has status 404. */
export const toMissingPage = (title: string, missing?: string): PageData => ({
  status: 404,
  head: { title, description: 'There is nothing at this address.', canonical: '/', noindex: true },
  data: [],
  missing,
});

/** The response, or undefined where the input or the actor's rights do not allow one: the browser then requests it itself. */
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

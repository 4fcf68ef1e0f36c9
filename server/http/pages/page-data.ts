import type { Ad } from '../../../contract/ads.ts';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import type { Config } from '../../config/load.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../policy.ts';
import { toAppError } from '../middleware/error-handler.ts';
import type { Head } from './head.ts';
import type { CallEndpoint, EndpointInput, InternalResponse } from './internal-client.ts';

export interface PageContext {
  config: Config;
  actor: Actor;
  call: CallEndpoint;
  params: Record<string, string>;
  query: URLSearchParams;
}

export interface PageData {
  status?: 200 | 404;
  /** Folder below web/src/pages, for its chunks. */
  page: string;
  head: Head;
  /** Replies for the browser's cache; undefined ones it asks for itself. */
  data: readonly (Pick<InternalResponse<EndpointSpec>, 'url' | 'cached' | 'asOf'> | undefined)[];
  /** Address of the call that has no reply, where the page is about something that is not there. */
  missing?: string;
  /** Its content hangs on what the browser alone has (drafts, one's own lists) and is left to it. */
  isDrawnInBrowser?: true;
  /** An ad that is looked at: counted for each request, not for each rendering. */
  viewed?: Ad;
}

export type BuildPage = (context: PageContext) => Promise<PageData>;

/** The reply, or undefined where the caller's input or rights leave nothing to send along; the browser will ask itself. */
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

import type { Logger } from '../observability/log.ts';
import type { Actor } from '../policy.ts';

/** What the middlewares know about a request, under `ctx.state`. */
export interface RequestState {
  requestId: string;
  ip: string;
  log: Logger;
  /** Template of the route that answered, for logs and metrics; never the path itself. */
  route?: string;
  actor?: Actor;
  /** Counts the request as answered though it goes on: a stream's hours are no response time. */
  answered(): void;
  /** Where traces are sent. */
  traceId?: string;
}

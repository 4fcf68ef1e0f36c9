import type { Logger } from '../../observability/log.ts';
import type { Actor } from '../../policy.ts';

/** What is known about a request, under `ctx.state`. */
export interface RequestState {
  requestId: string;
  ip: string;
  log: Logger;
  /** Template of the route, for logs and metrics; never the path itself. */
  route?: string;
  actor?: Actor;
  /** Counts the request as ended although it goes on: a stream's hours are no response time. */
  answered(): void;
  /** Only with tracing on. */
  traceId?: string;
}

import { reportClientError } from '../../../contract/client-errors.ts';
import { route } from '../../endpoints/define.ts';

const LINES_PER_MINUTE = 20;
const EMAIL = /(?<![^\s@"'<>()])[^\s@"'<>()]+@[^\s@"'<>()]+/g;
const QUERY = /\?[^\s:)"']*/g;

const redact = (text: string): string => text.replace(EMAIL, '[email]').replace(QUERY, '?…');

export const toPathPattern = (path: string): string =>
  path.replace(/^\/users\/[^/]+/, '/users/:username').replace(/\/\d+(?=\/|$)/g, '/:id');

/**
 * True for the first reports of each minute. All are counted but few are logged, because a broken release sends
 * thousands.
 */
function createSampler(): (now: number) => boolean {
  let minute = 0;
  let lines = 0;
  return (now) => {
    const current = Math.floor(now / 60_000);
    if (current !== minute) [minute, lines] = [current, 0];
    return ++lines <= LINES_PER_MINUTE;
  };
}

const isSampled = createSampler();

export const clientErrorRoutes = [
  route(reportClientError, ({ ctx, body, request }) => {
    ctx.metrics.clientErrorReported(body.kind);
    if (!isSampled(ctx.clock.now().getTime())) return;
    const { kind, message, stack, path } = body;
    const { userAgent } = request;
    request.log.warn(
      { kind, message: redact(message), stack: stack && redact(stack), path: toPathPattern(path), userAgent },
      'client error',
    );
  }),
];

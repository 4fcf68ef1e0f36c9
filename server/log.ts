import { destination, type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

const REDACTED = ['password', 'currentPassword', 'newPassword', 'access_token', 'refresh_token', 'code', 'state'];

const COMMON = { base: undefined, timestamp: pino.stdTimeFunctions.isoTime };

/** JSON lines on stdout, or another file descriptor. Bodies, cookies and tokens never get here; the paths below are the second line of defence. */
export const openLog = (level: string, fd = 1): Logger =>
  pino(
    {
      ...COMMON,
      level,
      redact: { paths: REDACTED.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
      serializers: { err: serializeError },
    },
    // asynchronous writes: a blocked reader of stdout must not stop the event loop
    destination({ fd, sync: false, minLength: 0 }),
  );

/**
 * One line a request, written in batches: line by line through redaction, logging cost more than a hot answer. The lines
 * hold fixed fields and no text of a body. A process that is killed loses those of its last second.
 */
export function openAccessLog(level: string): Logger {
  const stdout = destination({ fd: 1, sync: false, minLength: 8192 });
  setInterval(() => stdout.flush(), 1000).unref();
  return pino({ ...COMMON, level }, stdout);
}

/** Parsers hang the raw body on their errors, Knex the bindings: only what identifies the error is kept. */
function serializeError(error: Error) {
  const { type, message, stack, code } = stdSerializers.err(error) as ReturnType<typeof stdSerializers.err> & {
    code?: unknown;
  };
  const cause = error.cause instanceof Error ? { cause: serializeErrorShallow(error.cause) } : {};
  return { type, message, stack, code, ...cause };
}

const serializeErrorShallow = (error: Error) => ({
  message: error.message,
  code: (error as { code?: unknown }).code,
  stack: error.stack,
});

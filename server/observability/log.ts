import { type DestinationStream, destination, pino, stdSerializers } from 'pino';

/** Names of secrets in requests and replies of others; `code` and `state` are those of a sign-in. */
const REDACTED = [
  'password',
  'currentPassword',
  'newPassword',
  'access_token',
  'refresh_token',
  'token',
  'code_verifier',
  'cookie',
  'authorization',
  'code',
  'state',
] as const;

/** What operators need has another name than what is redacted: `sqlState`, not `code`. */
type Fields = { [Name in (typeof REDACTED)[number]]?: never } & Readonly<Record<string, unknown>>;

interface Log {
  (fields: Fields, message: string): void;
  (message: string): void;
}

export interface Logger extends Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Log> {
  child(fields: Fields): Logger;
}

const COMMON = { base: undefined, timestamp: pino.stdTimeFunctions.isoTime };

export const createLog = (level: string, fd = 1): Logger =>
  // asynchronous writes: a blocked reader of stdout must not stop the event loop
  logTo(level, destination({ fd, sync: false, minLength: 0 }));

/** Bodies, cookies and tokens are never logged; redaction is the second line of defence. */
const logTo = (level: string, stream: DestinationStream): Logger =>
  pino(
    {
      ...COMMON,
      level,
      redact: { paths: REDACTED.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
      serializers: { err: serializeError },
    },
    stream,
  );

export type RequestLine = {
  requestId: string;
  method: string;
  path: string;
  route: string | undefined;
  status: number;
  ms: number;
  ip: string;
  userId: string | undefined;
  /** The access token of a program: its id, which is no secret. */
  tokenId: string | undefined;
  traceId: string | undefined;
};

export type AccessLog = (level: 'info' | 'debug', line: RequestLine) => void;

export const logAccessTo = (log: Logger): AccessLog => {
  return (level, line) => log[level](line, 'request');
};

/** Buffered while the reader of stdout is slow or has stopped. Further lines are dropped and counted. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/**
 * The server's log on stdout, and its access log. Both write to one stream, because two streams would mix within a
 * line if the reader of a pipe is slow. Access lines are written in batches, at most a second late; others
 * immediately.
 */
export function createServerLog(level: string): { log: Logger; accessLog: AccessLog } {
  // for strings it would measure the current batch on every line
  const contentMode = 'buffer';
  const stdout = destination({ fd: 1, sync: false, minLength: 8192, maxLength: MAX_BUFFERED_BYTES, contentMode });
  const add = (line: string) => stdout.write(Buffer.from(line) as never);
  // A full disk must not end the server: the next flush tries again. flushSync runs at exit and would otherwise retry
  // forever.
  const { flushSync } = stdout;
  stdout.on('error', () => {
    stdout.flushSync = () => {};
  });
  stdout.on('write', () => {
    stdout.flushSync = flushSync;
  });
  setInterval(() => stdout.flush(), 1000).unref();
  let isUrgent = false;
  const write = (line: string) => {
    isUrgent = true;
    add(line);
    stdout.flush();
  };
  // flushSync is called after a fatal line
  const log = logTo(level, { write, flushSync: () => stdout.flushSync() } as DestinationStream);
  let lost = 0;
  stdout.on('drop', () => lost++);
  stdout.on('drain', () => {
    // a flush has no effect during a write
    if (isUrgent) stdout.flush();
    isUrgent = false;
    if (lost > 0) log.warn({ lines: lost }, 'lines are missing here: the reader of the log was too slow');
    lost = 0;
  });
  // without redaction, which is slow: these lines have fixed fields and no text of a body
  const accessLog = logAccessTo(pino({ ...COMMON, level }, { write: add }));
  return { log, accessLog };
}

/**
 * Keeps only the identity of the error: parsers attach the raw body, Knex the bindings. `code` becomes `errorCode`,
 * because `code` is redacted as a sign-in code.
 */
function serializeError(error: Error) {
  const { type, message, stack, code } = stdSerializers.err(error) as ReturnType<typeof stdSerializers.err> & {
    code?: unknown;
  };
  const cause = error.cause instanceof Error ? { cause: serializeErrorShallow(error.cause) } : {};
  return { type, message, stack, errorCode: code, ...cause };
}

const serializeErrorShallow = (error: Error) => ({
  message: error.message,
  errorCode: (error as { code?: unknown }).code,
  stack: error.stack,
});

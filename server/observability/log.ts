import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

const REDACTED = ['password', 'currentPassword', 'newPassword', 'access_token', 'refresh_token', 'code', 'state'];

const COMMON = { base: undefined, timestamp: pino.stdTimeFunctions.isoTime };

/** JSON lines on stdout, or another file descriptor. */
export const createLog = (level: string, fd = 1): Logger =>
  // asynchronous writes: a blocked reader of stdout must not stop the event loop
  logTo(level, destination({ fd, sync: false, minLength: 0 }));

/** Bodies, cookies and tokens never get here; the paths are the second line of defence. */
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

/** What is told of a request. */
export interface RequestLine {
  requestId: string;
  method: string;
  /** Without its query. */
  path: string;
  route: string | undefined;
  status: number;
  ms: number;
  ip: string;
  userId: string | undefined;
  traceId: string | undefined;
}

export type AccessLog = (level: 'info' | 'debug', line: RequestLine) => void;

/** Lines of requests among those of a log. */
export const logAccessTo = (log: Logger): AccessLog => {
  return (level, line) => log[level](line, 'request');
};

/** Formats a moment once a millisecond. */
function openIsoClock(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) text = new Date(now).toISOString();
    at = now;
    return text;
  };
}

/** Bytes that wait for a reader who is slow or has stopped; what comes on top is left out, and counted. */
const MOST_WAITING = 16 * 1024 * 1024;

/**
 * The log of a server on stdout, and its lines of requests. One stream writes both: what two write at once, a pipe with a
 * slow reader mixes within the line. Lines of requests are kept for a batch, others are passed on at once.
 */
export function createServerLog(level: string): { log: Logger; accessLog: AccessLog } {
  // bytes: of texts it would measure the piece that is being filled, up to 16 kB, with every line
  const contentMode = 'buffer';
  const stdout = destination({ fd: 1, sync: false, minLength: 8192, maxLength: MOST_WAITING, contentMode });
  const add = (line: string) => stdout.write(Buffer.from(line) as never);
  // A full disk behind it must not end the server: the next flush tries again. Nor keep it from ending: flushSync, called at
  // the end, would try for ever.
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
    // a flush does nothing while a write is under way
    if (isUrgent) stdout.flush();
    isUrgent = false;
    if (lost > 0) log.warn({ lines: lost }, 'lines are missing here: whoever reads the log was too slow');
    lost = 0;
  });
  return { log, accessLog: writeAccessTo(add, level) };
}

/**
 * One line a request, in the form of the log's: line by line through redaction, logging cost more than a hot answer. The
 * lines hold fixed fields and no text of a body. A process that is killed loses those of its last second.
 */
function writeAccessTo(write: (line: string) => void, threshold: string): AccessLog {
  const { values } = pino.levels;
  const least = values[threshold] ?? Number.POSITIVE_INFINITY;
  const now = openIsoClock();
  return (name, line) => {
    const level = values[name] as number;
    if (level >= least) write(`${toJson(level, now(), line)}\n`);
  };
}

/**
 * By hand, in a quarter of the time that JSON.stringify takes. Only the path may hold anything: the other texts are numbers,
 * addresses, identifiers, methods that node:http knows and routes of the contract.
 */
const toJson = (level: number, time: string, line: RequestLine): string => {
  const { requestId, method, path, route, status, ms, ip, userId, traceId } = line;
  const where = `"method":"${method}","path":${JSON.stringify(path)}${optional('route', route)}`;
  const who = `"ip":"${ip}"${optional('userId', userId)}${optional('traceId', traceId)}`;
  return `{"level":${level},"time":"${time}","requestId":"${requestId}",${where},"status":${status},"ms":${ms},${who},"msg":"request"}`;
};

const optional = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;

/**
 * Parsers hang the raw body on their errors, Knex the bindings: only what identifies the error is kept. Its code has a name of
 * its own, since whatever is called code is taken for that of a sign-in, and redacted.
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

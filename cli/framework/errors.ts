import { CommanderError } from 'commander';
import type { ErrorCode } from '../../contract/errors.ts';

/** The exit codes of `marketctl`. Scripts rely on them (`marketctl help exit-codes`). */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  config: 3,
  unreachable: 4,
  notFound: 5,
  conflict: 6,
  notConfirmed: 7,
  schema: 8,
  partial: 9,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: readonly [code: ExitCode, meaning: string][] = [
  [EXIT.ok, 'Done, or it was so already'],
  [EXIT.unexpected, 'Something unexpected; a failed check'],
  [EXIT.usage, 'The command line is wrong, or a value in it'],
  [EXIT.config, 'The configuration is not valid; every error is listed'],
  [EXIT.unreachable, 'The database or the image store cannot be reached, or refuses us'],
  [EXIT.notFound, 'There is no such user, ad, category, job or file'],
  [EXIT.conflict, 'It conflicts with what is there: a name taken, the last administrator'],
  [EXIT.notConfirmed, 'Not confirmed: answer the question, or pass --yes'],
  [EXIT.schema, 'The schema is not the one this version needs, or its lock was not to be had'],
  [EXIT.partial, 'Partly done: some of several failed; each result is printed'],
  [EXIT.interrupted, 'Interrupted by Ctrl-C; the last line says what was done'],
];

export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

export const usageError = (message: string, hint?: string): CliError => new CliError(EXIT.usage, message, hint);

/** For `catch`. `what` names a file or folder, and the option that it comes from. */
export const refuseUnreadable =
  (what: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new CliError(EXIT.notFound, `${what} cannot be read: ${error.code}`);
  };

const BY_CODE: Partial<Record<ErrorCode, ExitCode>> = {
  validation_failed: EXIT.usage,
  not_found: EXIT.notFound,
  conflict: EXIT.conflict,
  last_admin: EXIT.conflict,
  forbidden: EXIT.conflict,
  database_unavailable: EXIT.unreachable,
  storage_full: EXIT.unreachable,
  storage_unavailable: EXIT.unreachable,
  overloaded: EXIT.unreachable,
};

/** Errors of the server by the name of their class, which keeps their files out of every start. */
const BY_CLASS: Partial<Record<string, ExitCode>> = {
  ConfigError: EXIT.config,
  StoreNotConfigured: EXIT.config,
  SchemaMismatch: EXIT.schema,
  MigrationLockTimeout: EXIT.schema,
};

interface ErrorLike {
  name?: string;
  message?: string;
  code?: unknown;
  exitCode?: unknown;
  fields?: Record<string, string>;
  cause?: unknown;
}

const SCHEMA_BEHIND = new Set(['42P01', '42703', '42883', '3F000']);
const REFUSED = /^(28...|3D000|08...|57P0.|53300|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENOENT)$/;

const withFields = ({ message = '', fields = {} }: ErrorLike): string =>
  [message, ...Object.entries(fields).flatMap(([name, what]) => (what === message ? [] : [`  ${name}: ${what}`]))].join(
    '\n',
  );

const fromDatabase = (error: ErrorLike): CliError | undefined => {
  const code = typeof error.code === 'string' ? error.code : '';
  if (SCHEMA_BEHIND.has(code))
    return new CliError(EXIT.schema, `The schema is not the one this version needs: ${error.message}`, MIGRATE_HINT);
  if (REFUSED.test(code) && 'message' in error) {
    const words = error.message || code;
    return new CliError(EXIT.unreachable, `The database refuses: ${words} (${code})`);
  }
  return undefined;
};

const MIGRATE_HINT = 'Run: marketctl migrate up';

export function toCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const error = (thrown ?? {}) as ErrorLike;
  if (thrown instanceof CommanderError) return new CliError(thrown.exitCode === 0 ? EXIT.ok : EXIT.usage, '');
  if (error.name === 'AppError') {
    const { cause } = error;
    const deeper = typeof cause === 'object' && cause !== null ? fromDatabase(cause as ErrorLike) : undefined;
    if (deeper) return deeper;
    return new CliError(BY_CODE[error.code as ErrorCode] ?? EXIT.unexpected, withFields(error));
  }
  const className = thrown?.constructor.name ?? '';
  const exitCode = BY_CLASS[className];
  if (exitCode !== undefined) return new CliError(exitCode, error.message ?? '');
  if (className === 'UnknownSchema')
    return new CliError(EXIT.schema, error.message ?? '', 'Is it the right database, and the right release?');
  if (className === 'DamagedBackup') return new CliError(EXIT.unexpected, `The backup is damaged: ${error.message}.`);
  if (error.code === '23505') return new CliError(EXIT.conflict, `It exists already: ${error.message}`);
  if (error.name === 'AbortError') return new CliError(EXIT.interrupted, 'Interrupted.');
  return fromDatabase(error) ?? new CliError(EXIT.unexpected, error.message || String(thrown));
}

import type { ErrorCode } from '../../contract/errors.ts';
import { AppError } from '../errors.ts';

/** Error codes by SQLSTATE or by its two-character class. Any other SQLSTATE is a bug and becomes a 500. */
const BY_SQLSTATE: Record<string, ErrorCode> = {
  // a validation gap, which the error handler logs: the contract's schema should have refused this value
  '22P02': 'validation_failed',
  '22003': 'validation_failed',
  '22008': 'validation_failed',
  '22021': 'validation_failed',
  '22P05': 'validation_failed',
  '22025': 'validation_failed',
  '2201W': 'validation_failed',
  '22001': 'validation_failed',
  '23514': 'validation_failed',
  '54000': 'validation_failed',
  '23505': 'conflict',
  '23503': 'not_found',
  '40001': 'overloaded',
  '40P01': 'overloaded',
  '55P03': 'overloaded',
  '57014': 'overloaded',
  '25006': 'database_unavailable',
  '57P01': 'database_unavailable',
  '57P02': 'database_unavailable',
  '57P03': 'database_unavailable',
  '57P05': 'database_unavailable',
  '25P03': 'database_unavailable',
  '53300': 'database_unavailable',
  '53100': 'storage_full',
  '53200': 'overloaded',
  '08': 'database_unavailable',
  ECONNREFUSED: 'database_unavailable',
  ECONNRESET: 'database_unavailable',
  ETIMEDOUT: 'database_unavailable',
  EPIPE: 'database_unavailable',
  ENOTFOUND: 'database_unavailable',
  EAI_AGAIN: 'database_unavailable',
};

const BY_CODE = new Map(Object.entries(BY_SQLSTATE));

// pg and Knex raise these without a code. The response to a COMMIT may also be lost.
const CONNECTION_LOST =
  /Connection terminated|timeout expired|Client has encountered a connection error|Query read timeout|Connection ended unexpectedly|Unable to acquire a connection|client was closed/i;

interface DatabaseErrorLike {
  code?: unknown;
  name?: unknown;
  message?: unknown;
}

/**
 * The AppError for an error of PostgreSQL, pg or Knex; undefined for any other error. 40001 and 40P01 reach this
 * function only after the retries of `inTransaction`.
 */
export function fromDatabaseError(error: unknown): AppError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, name, message } = error as DatabaseErrorLike;
  const sqlstate = typeof code === 'string' ? code : '';
  const known = BY_CODE.get(sqlstate) ?? BY_CODE.get(sqlstate.slice(0, 2));
  if (known) return new AppError(known, { cause: error });
  const lost = name === 'KnexTimeoutError' || (typeof message === 'string' && CONNECTION_LOST.test(message));
  return lost ? new AppError('database_unavailable', { cause: error }) : undefined;
}

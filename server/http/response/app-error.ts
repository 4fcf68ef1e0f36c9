import { ERROR_STATUS, type ErrorCode } from '../../../contract/errors.ts';
import { fromDatabaseError } from '../../db/errors.ts';
import { AppError } from '../../errors.ts';

const CLIENT_GONE = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED']);
const BY_STATUS: Record<number, ErrorCode> = {
  400: 'validation_failed',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

interface ErrorLike {
  code?: unknown;
  status?: unknown;
  message?: unknown;
  syscall?: unknown;
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code);

/**
 * Any thrown value as an AppError. Integrations throw errors with a code of the contract; an unknown error is a bug.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, status, message, syscall } = (error ?? {}) as ErrorLike;
  if (isErrorCode(code)) return new AppError(code, { message: String(message ?? ''), cause: error });
  const fromDb = fromDatabaseError(error);
  if (fromDb) return fromDb;
  const isClientGone = CLIENT_GONE.has(String(code)) && syscall !== 'connect';
  if (isClientGone) return new AppError('client_closed_request', { cause: error });
  const known = typeof status === 'number' ? BY_STATUS[status] : undefined;
  return new AppError(known ?? 'internal_error', { cause: error });
}

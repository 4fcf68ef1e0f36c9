import type { DealRefusal } from '../contract/deals.ts';
import { ERROR_STATUS, type ErrorCode, type ErrorReply } from '../contract/errors.ts';
import { ENGLISH_TEXTS, type Phrase, speaking, type TextKey } from '../contract/i18n.ts';
import type { SendRefusal } from '../contract/messages.ts';
import { type ErrorPhrase, type ErrorValues, say, toEnglish, toParams } from './error-phrases.ts';

const RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  rate_limited: 60,
  overloaded: 2,
  image_worker_failed: 2,
  database_unavailable: 3,
  storage_unavailable: 3,
  shutting_down: 3,
  maintenance: 60,
  idempotency_in_progress: 1,
};

/** What is wrong with a field: a text, or a value that programs read ("/ads/7"). */
type Field = string | ErrorPhrase;

export interface AppErrorOptions {
  /** The text, if that of the code says too little. */
  key?: TextKey | undefined;
  values?: ErrorValues | undefined;
  /** Words that are the same in every language: of the operator, of a check that has spoken, for `marketctl` alone. */
  message?: string | undefined;
  fields?: Readonly<Record<string, Field>> | undefined;
  retryAfter?: number | undefined;
  headers?: Record<string, string>;
  cause?: unknown;
}

const sayFields = (fields: Readonly<Record<string, Field>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, typeof field === 'string' ? field : say(field)]),
  );

/**
 * An error response: the code determines the HTTP status, the message is for people. `message` and `fields` are English,
 * for logs and `marketctl`; `describeError` says them in another language.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly phrase: ErrorPhrase | undefined;
  readonly fieldPhrases: Readonly<Record<string, Field>> | undefined;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    const { key = `errors.code_${code}`, values, message, fields, retryAfter, headers = {}, cause } = options;
    const phrase = { key, values };
    super(message ?? toEnglish(phrase), { cause });
    this.name = 'AppError';
    this.code = code;
    this.phrase = message === undefined ? phrase : undefined;
    this.fieldPhrases = fields;
    this.fields = fields && speaking(ENGLISH_TEXTS, () => sayFields(fields));
    this.headers = headers;
    this.retryAfter = retryAfter ?? RETRY_AFTER[code];
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** What the response says of an error, in the language that is spoken now. */
export const describeError = ({ code, message, phrase, fieldPhrases }: AppError): Omit<ErrorReply, 'requestId'> => {
  const params = phrase && toParams(phrase);
  return {
    message: phrase ? say(phrase) : message,
    code,
    ...(params && { params }),
    ...(fieldPhrases && { fields: sayFields(fieldPhrases) }),
  };
};

/** `until` is an ISO time; `fields` has it for programs. */
export const accountSuspended = (until: string) =>
  new AppError('account_suspended', {
    key: 'errors.suspendedUntil',
    values: { until: { time: new Date(until) } },
    fields: { suspendedUntil: until },
  });

/** Names the scope that the access token lacks; none for what no token does. */
export const insufficientScope = (scope?: string) =>
  new AppError('insufficient_scope', {
    ...(scope && { key: 'errors.tokenLacksScope', values: { scope } }),
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}` },
  });

export const messagesNotAllowed = (refusal: SendRefusal) =>
  new AppError('messages_not_allowed', { key: `messages.refusal_${refusal}` });

/** `fields.state` is the refusal. */
export const dealRefused = (refusal: DealRefusal) =>
  new AppError('conflict', { key: `errors.deal_${refusal}`, fields: { state: refusal } });

export const notFound = (key?: TextKey, values?: ErrorValues) => new AppError('not_found', { key, values });
export const forbidden = (key?: TextKey, values?: ErrorValues) => new AppError('forbidden', { key, values });
export const conflict = (key?: TextKey, values?: ErrorValues) => new AppError('conflict', { key, values });
export const unauthenticated = () => new AppError('unauthenticated');

/** Says what is wrong with fields of the request; the first of them is the message. */
export const invalid = (fields: Readonly<Record<string, TextKey | Phrase>>) => {
  const phrases = Object.entries(fields).map(
    ([name, field]) => [name, typeof field === 'string' ? { key: field } : field] as const,
  );
  return new AppError('validation_failed', { ...phrases[0]?.[1], fields: Object.fromEntries(phrases) });
};

/** Like `invalid`, in words that are said already: by a check of the contract, or for `marketctl` alone. */
export const refuseFields = (fields: Record<string, string>) =>
  new AppError('validation_failed', { message: Object.values(fields)[0], fields });

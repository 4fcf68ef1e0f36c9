/** What X said about our allowance in one answer's headers; `resetAt` in Unix seconds. */
export interface XRateLimit {
  limit: number;
  remaining: number;
  resetAt: number;
}

/**
 * How far a failed call got.
 * - `unsent`: no connection came about, X knows nothing of it.
 * - `lost`: it may have been carried out; the answer never came, or was not understood.
 * - `answered`: X refused it with a status.
 */
export type XFailure = 'unsent' | 'lost' | 'answered';

export interface XErrorDetails {
  failure: XFailure;
  status?: number;
  /** Last path part of the problem's type ("credits-depleted"), or OAuth's error code ("invalid_request"). */
  problem?: string;
  /** X's own words, shortened and without secrets; for operators, not for people. */
  detail?: string;
  /** X's older numeric codes: 326 is a locked account. */
  codes?: number[];
  rateLimit?: XRateLimit;
  transactionId?: string;
}

/** A call to X that failed. Neither message nor fields ever hold a token. */
export class XError extends Error {
  override readonly name = 'XError';
  readonly failure: XFailure;
  readonly status: number | undefined;
  readonly problem: string | undefined;
  readonly detail: string | undefined;
  readonly codes: number[];
  readonly rateLimit: XRateLimit | undefined;
  readonly transactionId: string | undefined;

  constructor(message: string, details: XErrorDetails) {
    super(message);
    this.failure = details.failure;
    this.status = details.status;
    this.problem = details.problem;
    this.detail = details.detail;
    this.codes = details.codes ?? [];
    this.rateLimit = details.rateLimit;
    this.transactionId = details.transactionId;
  }
}

/** The upload is not a picture we take. Answered as 400 `invalid_image`; `index` is its place in `imageUrls`. */
export class InvalidImageError extends Error {
  readonly status = 400;
  readonly code = 'invalid_image';
  readonly index: number | undefined;
  constructor(message: string, index?: number) {
    super(message);
    this.index = index;
  }
}

/** The request body cannot be used as it is: 400 `malformed_json` or 413 `payload_too_large`. */
export class BadBodyError extends Error {
  readonly status: 400 | 413;
  readonly code: 'malformed_json' | 'payload_too_large';
  constructor(code: 'malformed_json' | 'payload_too_large', message: string) {
    super(message);
    this.code = code;
    this.status = code === 'malformed_json' ? 400 : 413;
  }
}

/** Too many pictures are waiting already. Answered as 503 with Retry-After. */
export class OverloadedError extends Error {
  readonly status = 503;
  readonly code = 'overloaded';
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The process that decoded this picture died or overran its time. The server itself is unharmed: 503. */
export class ImageWorkerFailedError extends Error {
  readonly status = 503;
  readonly code = 'image_worker_failed';
  readonly retryAfterSeconds = 1;
}

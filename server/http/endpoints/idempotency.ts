import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import {
  findIdempotentResponse,
  type IdempotencyRow,
  storeIdempotentResponse,
  tryLockKey,
} from '../../features/idempotency/repository.ts';
import type { Once } from './define.ts';

// the draft's string syntax allows quotes around the key
const KEY = /^("?)([\w.:-]{8,200})\1$/;

export interface KeyedRequest {
  /** Whose key it is: nobody meets another person's. */
  scope: string;
  endpoint: string;
  header: string;
  /** SHA-256 of the body; absent where the call has none. */
  bodyHash: Buffer | undefined;
  status: number;
}

/** Carries a stored reply past the handler. */
export class StoredResponse extends Error {
  readonly status: number;
  readonly reply: unknown;
  constructor({ status, reply }: Pick<IdempotencyRow, 'status' | 'reply'>) {
    super('answered before');
    this.status = status ?? 200;
    this.reply = reply;
  }
}

export interface Idempotency {
  once: Once;
  /** Throws the stored reply before any costly work is done. */
  replay(): Promise<void>;
}

/**
 * The key is stored in the transaction of the write, with the reply: both are there or neither, also when the answer to
 * COMMIT was lost. Without a key each call counts, and the work opens its own transaction.
 */
export function createIdempotency(appContext: AppContext, request: KeyedRequest): Idempotency {
  if (request.header === '') return { once: (work) => work(appContext.db), replay: async () => {} };
  const key = KEY.exec(request.header)?.[2];
  if (key === undefined) throw new AppError('invalid_idempotency_key');
  const claim = { scope: request.scope, key };
  const bodyHash = request.bodyHash ?? Buffer.alloc(32);

  const throwStored = (row: IdempotencyRow | undefined) => {
    if (!row) return;
    const isSame = row.endpoint === request.endpoint && row.body_hash.equals(bodyHash);
    throw isSame ? new StoredResponse(row) : new AppError('idempotency_key_reused');
  };
  return {
    replay: async () => throwStored(await findIdempotentResponse(appContext.db, claim)),
    once: (work) =>
      inTransaction(appContext.db, async (trx) => {
        if (!(await tryLockKey(trx, claim))) throw new AppError('idempotency_in_progress');
        throwStored(await findIdempotentResponse(trx, claim));
        const reply = await work(trx);
        const { endpoint, status } = request;
        await storeIdempotentResponse(trx, { ...claim, endpoint, body_hash: bodyHash, status, reply });
        return reply;
      }),
  };
}

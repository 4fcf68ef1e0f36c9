import type { AppContext } from '../../app-context.ts';
import { inTransaction, withDatabase } from '../../db/transaction.ts';
import type { Once } from '../../endpoints/define.ts';
import { AppError } from '../../errors.ts';
import {
  findIdempotentResponse,
  type IdempotencyRow,
  storeIdempotentResponse,
  tryLockKey,
} from '../../features/idempotency/repository.ts';

// the draft's string syntax allows quotes around the key
const KEY = /^("?)([\w.:-]{8,200})\1$/;

export interface KeyedRequest {
  scope: string;
  endpoint: string;
  header: string;
  /** SHA-256 of the body; absent if the endpoint has none. */
  bodyHash: Buffer | undefined;
  status: number;
}

export class StoredResponse extends Error {
  readonly status: number;
  readonly reply: unknown;
  constructor({ status, reply }: Pick<IdempotencyRow, 'status' | 'reply'>) {
    super('stored response');
    this.status = status ?? 200;
    this.reply = reply;
  }
}

/**
 * Stores the key and the response in the transaction of the work: both are committed or neither, even if the client
 * never sees the result. Without a key every request runs.
 */
export function createIdempotency(appContext: AppContext, request: KeyedRequest): Once {
  if (request.header === '') return (work) => work(appContext);
  const key = KEY.exec(request.header)?.[2];
  if (key === undefined) throw new AppError('invalid_idempotency_key');
  const claim = { scope: request.scope, key };
  const bodyHash = request.bodyHash ?? Buffer.alloc(32);

  const throwStored = (row: IdempotencyRow | undefined) => {
    if (!row) return;
    const isSame = row.endpoint === request.endpoint && row.body_hash.equals(bodyHash);
    throw isSame ? new StoredResponse(row) : new AppError('idempotency_key_reused');
  };
  return (work) =>
    inTransaction(appContext.db, async (trx) => {
      if (!(await tryLockKey(trx, claim))) throw new AppError('idempotency_in_progress');
      throwStored(await findIdempotentResponse(trx, claim));
      const reply = await work(withDatabase(appContext, trx));
      const { endpoint, status } = request;
      await storeIdempotentResponse(trx, { ...claim, endpoint, body_hash: bodyHash, status, reply });
      return reply;
    });
}

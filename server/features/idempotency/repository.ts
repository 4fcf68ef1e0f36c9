import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

export type IdempotencyRow = Omit<Tables['idempotency_keys'], 'created_at'>;

type Claim = Pick<IdempotencyRow, 'scope' | 'key'>;

export const findIdempotentResponse = (db: Db, { scope, key }: Claim): Promise<IdempotencyRow | undefined> =>
  db<IdempotencyRow>('idempotency_keys').where({ scope, key }).first();

/** Locks the key until the transaction ends. Returns false while another request with this key runs. */
export async function tryLockKey(trx: Trx, { scope, key }: Claim): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { got: boolean }[] }>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as got',
    [`idempotency ${scope} ${key}`],
  );
  return rows[0]?.got === true;
}

export async function storeIdempotentResponse(trx: Trx, row: IdempotencyRow): Promise<void> {
  await trx('idempotency_keys').insert({ ...row, reply: JSON.stringify(row.reply ?? null) });
}

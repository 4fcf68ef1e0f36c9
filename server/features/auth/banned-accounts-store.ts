import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Trx } from '../../db/connect.ts';

const KEY = 'ban_key';
const BYTES = 32;

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/**
 * This marketplace's own, made when it is first needed. In the database, not in the environment: the terminal has no
 * SESSION_KEYS, those are exchanged now and then, and a restored backup must know whom it shut out.
 */
async function takeKey(trx: Trx): Promise<Buffer> {
  const value = JSON.stringify(randomBytes(BYTES).toString('base64'));
  await trx('settings').insert({ key: KEY, value }).onConflict('key').ignore();
  const row = await trx<{ key: string; value: string }>('settings').where({ key: KEY }).first('value');
  return Buffer.from(row!.value, 'base64');
}

/** Slow on purpose (some 50 ms): X's ids are numbers, and whoever holds a dump of the database could try them all. */
const hashXId = async (trx: Trx, xId: string): Promise<Buffer> => derive(xId, await takeKey(trx), BYTES);

/** Shuts an X account out for good, without keeping its id. */
export async function keepBan(trx: Trx, xId: string, bannedAt: string): Promise<void> {
  const row = { id_hash: await hashXId(trx, xId), banned_at: bannedAt };
  await trx('banned_x_accounts').insert(row).onConflict('id_hash').ignore();
}

/** Whether the person of this X account was deleted here while banned. */
export const isShutOut = async (trx: Trx, xId: string): Promise<boolean> =>
  (await trx('banned_x_accounts')
    .where({ id_hash: await hashXId(trx, xId) })
    .first('banned_at')) !== undefined;

/** Lets an X account in again; says whether it was shut out. */
export const dropBan = async (trx: Trx, xId: string): Promise<boolean> =>
  (await trx('banned_x_accounts')
    .where({ id_hash: await hashXId(trx, xId) })
    .delete()) > 0;

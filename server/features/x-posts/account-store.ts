import type { Db, Trx } from '../../db/connect.ts';

/** A person's X account as a place to post to. Tokens are sealed (vault.ts). */
export interface XAccountRow {
  user_id: string;
  x_id: string;
  env: 'live' | 'sandbox';
  access_token: Buffer | null;
  refresh_token: Buffer | null;
  token_key_id: string | null;
  access_expires_at: string | null;
  scopes: string[];
  status: 'ok' | 'reauth' | 'suspended' | 'revoked';
  autopost_ads_at: string | null;
  autopost_favorites_at: string | null;
}

const accounts = (db: Db) => db<XAccountRow>('x_accounts');

export const findAccount = (db: Db, userId: string): Promise<XAccountRow | undefined> =>
  accounts(db).where({ user_id: userId }).first();

/** The account, locked: consent, caps and tokens are decided one after the other. */
export const lockAccount = (trx: Trx, userId: string): Promise<XAccountRow | undefined> =>
  accounts(trx).where({ user_id: userId }).forUpdate().first();

/**
 * Lets this transaction wait for, and hold, a lock across a call to X: ten seconds at most by the client's timeout, for
 * each of those in front.
 */
export const waitLonger = async (trx: Trx): Promise<void> => {
  await trx.raw(`set local lock_timeout = '60s'; set local statement_timeout = '60s';
    set local idle_in_transaction_session_timeout = '60s'`);
};

export type AccountLink = Pick<
  XAccountRow,
  'user_id' | 'x_id' | 'env' | 'access_token' | 'refresh_token' | 'token_key_id' | 'scopes'
>;

/** A new link to X replaces what there was; consents are given separately. `seconds`: life of the access token. */
export const saveLink = async (trx: Trx, link: AccountLink, seconds: number): Promise<void> => {
  const row = { ...link, status: 'ok', access_expires_at: inSeconds(trx, seconds), updated_at: trx.fn.now() };
  await trx('x_accounts').insert(row).onConflict('user_id').merge(row);
};

export const saveTokens = async (
  trx: Trx,
  userId: string,
  tokens: Pick<AccountLink, 'access_token' | 'refresh_token' | 'token_key_id' | 'scopes'>,
  seconds: number,
): Promise<void> => {
  const times = { access_expires_at: inSeconds(trx, seconds), updated_at: trx.fn.now() };
  await trx('x_accounts')
    .where({ user_id: userId })
    .update({ ...tokens, ...times });
};

export const setAccountStatus = async (db: Db, userId: string, status: XAccountRow['status']): Promise<void> => {
  await db('x_accounts').where({ user_id: userId }).update({ status, updated_at: db.fn.now() });
};

export type ConsentColumn = 'autopost_ads_at' | 'autopost_favorites_at';

/** Records when a person agreed, keeping an earlier date, or that they took it back. */
export const setConsent = async (trx: Trx, userId: string, column: ConsentColumn, agreed: boolean): Promise<void> => {
  const value = agreed ? trx.raw('coalesce(??, now())', [column]) : null;
  await trx('x_accounts')
    .where({ user_id: userId })
    .update({ [column]: value, updated_at: trx.fn.now() });
};

export const deleteAccount = async (trx: Trx, userId: string): Promise<void> => {
  await trx('x_accounts').where({ user_id: userId }).delete();
};

/** What the person chose last in the form. Written only when it changes: the row may be held by others. */
export const rememberChoice = async (trx: Trx, userId: string, wantsPost: boolean): Promise<void> => {
  await trx('users').where({ id: userId, post_to_x: !wantsPost }).update({ post_to_x: wantsPost });
};

const inSeconds = (db: Db, seconds: number) => db.raw("now() + ? * interval '1 second'", [seconds]);

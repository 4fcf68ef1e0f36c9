import { randomUUID } from 'node:crypto';
import { isEmailAddress } from '../../../contract/email.ts';
import type { Config } from '../../config/load.ts';
import { type Db, getNow, type Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';
import { READER } from '../users/repository.ts';

export type AddressRow = Tables['email_addresses'] & {
  user_created_at: string;
  /** READER, of the user. */
  language: string | null;
  time_zone: string | null;
  /** The address that X gave at sign-in. */
  x_address: string | null;
};

const selectAddresses = (db: Db) =>
  db('users as u')
    .leftJoin('email_addresses as e', 'e.user_id', 'u.id')
    .whereNull('u.deleted_at')
    .select<AddressRow[]>('e.*', 'u.id as user_id', 'u.created_at as user_created_at', db.raw(READER))
    .select(db.raw('coalesce(e.uses_x, true) as uses_x'))
    // the operator may have entered the address of an administrator without X account: no link confirmed it
    .select(db.raw('case when u.x_id is not null then u.email end as x_address'));

/** Whether the site reads addresses from X. */
type AddressConfig = Pick<Config, 'xEmail'>;

/** The address of the X account, if it can be used: X has confirmed it. */
export const getXAddress = ({ x_address }: AddressRow, { xEmail }: AddressConfig): string | null =>
  xEmail && x_address !== null && isEmailAddress(x_address) ? x_address : null;

/** The confirmed address of this row, also while mail is refused or paused. */
export const getConfirmedAddress = (row: AddressRow, config: AddressConfig): string | null =>
  row.uses_x ? getXAddress(row, config) : row.address;

/** Where links that sign in may be mailed. Whoever confirmed a mistyped address reads it, and is not the person. */
export const getOpeningAddress = (row: AddressRow, config: AddressConfig): string | null =>
  row.uses_x || row.opens_account ? getConfirmedAddress(row, config) : null;

/** `pending`: an entered address waits for its link. `refused`: by its mail server. `paused`: all mail is off. */
export type AddressState = 'none' | 'pending' | 'confirmed' | 'refused' | 'paused';

export const getAddressState = (row: AddressRow, config: AddressConfig): AddressState => {
  if (row.pending_address !== null) return 'pending';
  const address = getConfirmedAddress(row, config);
  if (row.refused_address !== null && (address === null || address === row.refused_address)) return 'refused';
  if (address === null) return 'none';
  return row.paused_at === null ? 'confirmed' : 'paused';
};

/** Where mail for these users goes. Users without a confirmed address, and those who switched mail off, have none. */
export const findUsableAddresses = async (
  db: Db,
  userIds: readonly string[],
  config: AddressConfig,
): Promise<Map<string, string>> => {
  const rows = await selectAddresses(db).whereRaw('u.id = any(?::bigint[])', [[...userIds]]);
  return new Map(
    rows.flatMap((row) => {
      const address = getConfirmedAddress(row, config);
      const isUsable = address !== null && address !== row.refused_address && row.paused_at === null;
      return isUsable ? [[row.user_id, address]] : [];
    }),
  );
};

/** What is stored about a user's address; undefined for an unknown or deleted user. */
export const findAddress = (db: Db, userId: string): Promise<AddressRow | undefined> =>
  selectAddresses(db).where('u.id', userId).first() as Promise<AddressRow | undefined>;

/** Like findAddress, of the person with this X account. */
export const findAddressOfX = (db: Db, xId: string): Promise<AddressRow | undefined> =>
  selectAddresses(db).where('u.x_id', xId).first() as Promise<AddressRow | undefined>;

/** Like findAddress. Changes of this user's address wait until the transaction ends. */
export const lockAddress = async (trx: Trx, userId: string): Promise<AddressRow | undefined> => {
  // the user before the address, as the deletion of an account does
  await trx('users').where({ id: userId }).forKeyShare().first('id');
  await trx('email_addresses').where({ user_id: userId }).forUpdate().first('user_id');
  return findAddress(trx, userId);
};

type AddressChange = Partial<Omit<AddressRow, 'user_id' | 'user_created_at' | 'x_address'>>;

const NOT_PENDING = { pending_address: null, pending_id: null, pending_until: null };
const NO_ADDRESS = { address: null, confirmed_id: null, confirmed_at: null, opens_account: false, uses_x: false };
const NOT_REFUSED = { refused_address: null, refusal: null, refused_at: null };

const saveAddress = async (trx: Trx, userId: string, change: AddressChange): Promise<void> => {
  await trx('email_addresses')
    .insert({ user_id: userId, ...change })
    .onConflict('user_id')
    .merge();
};

/** Replaces the pending address: links sent before no longer confirm anything. Returns the id that the new link names. */
export const setPendingAddress = async (
  trx: Trx,
  userId: string,
  address: string,
  { hours }: { hours: number },
): Promise<string> => {
  const id = randomUUID();
  const until = new Date(getNow(trx).valueOf() + hours * 3_600_000).toISOString();
  await saveAddress(trx, userId, { pending_address: address, pending_id: id, pending_until: until });
  return id;
};

/** Makes the pending address the confirmed one. */
export const confirmPendingAddress = async (trx: Trx, userId: string, opensAccount: boolean): Promise<void> => {
  await trx('email_addresses')
    .where({ user_id: userId })
    .update({
      address: trx.ref('pending_address'),
      confirmed_id: trx.ref('pending_id'),
      confirmed_at: trx.fn.now(),
      opens_account: opensAccount,
      uses_x: false,
      ...NOT_PENDING,
      ...NOT_REFUSED,
    });
};

/** Forgets the pending address, and that a mail server refused one. */
export const dropPendingAddress = async (trx: Trx, userId: string): Promise<void> => {
  await saveAddress(trx, userId, { ...NOT_PENDING, ...NOT_REFUSED });
};

/** Forgets the user's own addresses. `usesX`: the address of the X account counts from now on. */
export const removeAddress = async (trx: Trx, userId: string, { usesX }: { usesX: boolean }): Promise<void> => {
  await saveAddress(trx, userId, { ...NO_ADDRESS, ...NOT_PENDING, ...NOT_REFUSED, uses_x: usesX });
};

/**
 * Stores that a mail server refused mail to this address for good. If it was pending, it no longer is. The row has room
 * for one refused address: a confirmed one that was refused before is forgotten, so that it does not count again.
 */
export const setRefusedAddress = async (
  trx: Trx,
  row: AddressRow,
  refused: { address: string; refusal: string },
): Promise<void> => {
  await saveAddress(trx, row.user_id, {
    refused_address: refused.address,
    refusal: refused.refusal,
    refused_at: getNow(trx).toISOString(),
    ...(row.pending_address === refused.address && NOT_PENDING),
    ...(row.refused_address !== null &&
      row.refused_address === (row.uses_x ? row.x_address : row.address) &&
      NO_ADDRESS),
  });
};

/** Switches all mail to this user off, or on again. */
export const setMailPaused = async (trx: Trx, userId: string, isPaused: boolean): Promise<void> => {
  await saveAddress(trx, userId, { paused_at: isPaused ? getNow(trx).toISOString() : null });
};

/** Forgets pending addresses a month after their link expired: they may belong to other people. */
export const deleteForgottenAddresses = async (db: Db): Promise<void> => {
  await db('email_addresses').whereRaw("pending_until < now() - interval '30 days'").update(NOT_PENDING);
};

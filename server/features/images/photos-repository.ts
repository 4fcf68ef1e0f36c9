import { LIMITS } from '../../../contract/limits.ts';
import { countRows, type Db, type Trx } from '../../db/pools.ts';

/** Records who uploaded the image. Of one person the newest LIMITS.photos are kept. */
export const addPhoto = async (trx: Trx, userId: string, sha256: string): Promise<void> => {
  await trx.raw(
    `insert into photos (user_id, sha256) values (?, decode(?, 'hex'))
     on conflict (user_id, sha256) do update set created_at = now()`,
    [userId, sha256],
  );
  await trx.raw(
    `delete from photos where user_id = :userId and sha256 in (
       select sha256 from photos where user_id = :userId order by created_at desc, sha256 offset :most)`,
    { userId, most: LIMITS.photos },
  );
};

/** Which of the images this person uploaded. They are no longer theirs to use: an ad shows them from now on. */
export const takePhotos = async (trx: Trx, userId: string, sha256s: readonly string[]): Promise<string[]> => {
  if (sha256s.length === 0) return [];
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    `delete from photos where user_id = ? and sha256 in (select decode(hex, 'hex') from unnest(?::text[]) hex)
     returning encode(sha256, 'hex') as name`,
    [userId, [...sha256s]],
  );
  return rows.map(({ name }) => name);
};

/** Photos that the clean-up should have deleted two hours ago. */
export const countForgottenPhotos = (db: Db): Promise<number> =>
  countRows(db('photos').whereRaw(`created_at < now() - interval '${LIMITS.photoHours + 2} hours'`));

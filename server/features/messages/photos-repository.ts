import { LIMITS } from '../../../contract/limits.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';

/** A photo with the two people who may see it, if it was sent. `sha256` in hexadecimal. */
export interface MessagePhotoRow {
  id: string;
  sha256: string;
  width: number;
  height: number;
  user_id: string;
  message_id: string | null;
  sender_id: string | null;
  receiver_id: string | null;
}

const SELECT = `select p.id, encode(p.sha256, 'hex') as sha256, i.width, i.height, p.user_id, p.message_id, m.sender_id,
    m.receiver_id
  from message_photos p join images i on i.sha256 = p.sha256 left join messages m on m.id = p.message_id`;

/** Records who uploaded the photo. Of one person the newest LIMITS.unsentPhotos are kept. */
export const addUnsentPhoto = async (trx: Trx, userId: string, sha256: string): Promise<string> => {
  const { rows } = await trx.raw<{ rows: [{ id: string }] }>(
    `insert into message_photos (user_id, sha256) values (?, decode(?, 'hex')) returning id`,
    [userId, sha256],
  );
  await trx.raw(
    `delete from message_photos where id in (
       select id from message_photos where user_id = ? and message_id is null order by created_at desc, id desc offset ?)`,
    [userId, LIMITS.unsentPhotos],
  );
  return rows[0].id;
};

/** Puts unsent photos of this person into a message, in this order. Returns how many are theirs to send. */
export const putIntoMessage = async (
  trx: Trx,
  photo: { userId: string; messageId: string; ids: readonly string[] },
): Promise<number> => {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `update message_photos p set message_id = :messageId, position = wanted.position
     from unnest(:ids::bigint[]) with ordinality as wanted (id, position)
     where p.id = wanted.id and p.user_id = :userId and p.message_id is null`,
    { ...photo, ids: [...photo.ids] },
  );
  return rowCount;
};

export const listPhotosOfMessages = (db: Db, messageIds: readonly string[]): Promise<MessagePhotoRow[]> =>
  messageIds.length === 0
    ? Promise.resolve([])
    : queryPrepared(db, `${SELECT} where p.message_id = any(:messageIds::bigint[]) order by p.message_id, p.position`, {
        messageIds,
      });

export const findMessagePhoto = async (db: Db, id: string): Promise<MessagePhotoRow | undefined> => {
  const { rows } = await db.raw<{ rows: MessagePhotoRow[] }>(`${SELECT} where p.id = ?`, [id]);
  return rows[0];
};

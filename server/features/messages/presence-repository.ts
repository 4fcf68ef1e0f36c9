import type { Db } from '../../db/pools.ts';

/** Without a heartbeat for this time, a process is dead. It beats three times as often. */
const ALIVE = "interval '45 seconds'";

export interface StreamChanges {
  /** Users who have an open stream now. */
  entered: readonly string[];
  /** Users who have none any more. */
  left: readonly string[];
}

/**
 * Records the heartbeat of a process and what changed in its open streams. Returns false if the process was unknown: it
 * then has to enter all its users.
 */
export const recordStreams = async (db: Db, serverId: string, { entered, left }: StreamChanges): Promise<boolean> => {
  const { rows } = await db.raw<{ rows: { is_new: boolean }[] }>(
    `with server as (
       insert into stream_servers (id, seen_at) values (:serverId, now())
       on conflict (id) do update set seen_at = now() returning id, xmax = 0 as is_new
     ), ended as (
       delete from open_streams where server_id = :serverId and user_id = any(:left::bigint[])
     ), begun as (
       insert into open_streams (user_id, server_id)
       select u.id, server.id from users u, server where u.id = any(:entered::bigint[]) and u.deleted_at is null
       on conflict do nothing
     )
     select is_new from server`,
    { serverId, entered: [...entered], left: [...left] },
  );
  return !rows[0]!.is_new;
};

/** Deletes processes that have no heartbeat. */
export const deleteDeadStreamServers = async (db: Db): Promise<void> => {
  await db('stream_servers').whereRaw(`seen_at < now() - ${ALIVE}`).delete();
};

export const deleteStreamServer = async (db: Db, serverId: string): Promise<void> => {
  await db('stream_servers').where({ id: serverId }).delete();
};

/** Whether a living process serves an event stream of this user. */
export const hasOpenStream = async (db: Db, userId: string): Promise<boolean> => {
  const row = await db('open_streams as o')
    .join('stream_servers as s', 's.id', 'o.server_id')
    .where('o.user_id', userId)
    .whereRaw(`s.seen_at >= now() - ${ALIVE}`)
    .first('o.user_id');
  return row !== undefined;
};

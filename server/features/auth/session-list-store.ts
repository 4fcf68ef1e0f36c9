import type { Db } from '../../db/connect.ts';
import { type Page, toPage } from '../../db/paginate.ts';

export interface SessionListRow {
  user_id: string | null;
  username: string | null;
  display_name: string | null;
  kind: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  cursor: string;
}

export interface SessionFilter {
  userId?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

const CURSOR = /^\d{1,16}$/;

/** Sessions, most recently started first; never their ids. The cursor is the start in microseconds. */
export const listSessions = async (db: Db, { userId, cursor, limit }: SessionFilter): Promise<Page<SessionListRow>> => {
  const before = cursor !== undefined && CURSOR.test(cursor) ? cursor : null;
  const { rows } = await db.raw<{ rows: SessionListRow[] }>(
    `select s.user_id, u.username, u.display_name, s.kind, s.created_at, s.last_seen_at, s.expires_at,
       (extract(epoch from s.created_at) * 1000000)::bigint::text as cursor
     from sessions s left join users u on u.id = s.user_id
     where true ${userId ? 'and s.user_id = :userId' : ''}
       ${before ? "and s.created_at < timestamptz 'epoch' + :before * interval '1 microsecond'" : ''}
     order by s.created_at desc limit :limit`,
    { userId: userId ?? null, before, limit: limit + 1 },
  );
  return toPage(rows, limit, (row) => row.cursor);
};

export interface SessionsToEnd {
  userId?: string | undefined;
  /** Started before; ISO 8601. */
  startedBefore?: string | undefined;
}

/** Ends sessions of one user, those started before a time, or all. Returns how many. */
export const endSessions = (db: Db, { userId, startedBefore }: SessionsToEnd): Promise<number> => {
  const query = db('sessions');
  if (userId) query.where({ user_id: userId });
  if (startedBefore) query.where('created_at', '<', startedBefore);
  return query.delete();
};

import type { Db } from '../../db/connect.ts';
import { type Page, parseCursor, toPage } from '../../db/paginate.ts';
import type { UserRow } from '../../db/tables.ts';
import { type ListFilter, selectAnyIds } from '../ads/ids-store.ts';
import { type AdDetails, SELECT_ADS } from '../ads/select-store.ts';

export interface AdminUserRow extends UserRow {
  ad_count: string;
}

interface Paging {
  cursor?: string | undefined;
  limit: number;
}

export interface UserFilter {
  /** Part of handle or name, or an id. */
  search?: string | undefined;
  status?: 'active' | 'banned' | undefined;
  role?: 'user' | 'admin' | undefined;
}

const escapeLike = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const asId = (text: string | undefined): string | null => (text !== undefined && /^\d{1,18}$/.test(text) ? text : null);

const SELECT_USERS = `select u.*, (select count(*) from ads a where a.user_id = u.id and a.state <> 'deleted') as ad_count
  from users u`;

/** Users, newest first, without the deleted. */
export const listUsers = async (db: Db, filter: UserFilter, { cursor, limit }: Paging): Promise<Page<AdminUserRow>> => {
  const search = filter.search?.trim().replace(/^@/, '') || undefined;
  const conditions = [
    'u.deleted_at is null',
    filter.status === 'banned' && 'u.banned_at is not null',
    filter.status === 'active' && 'u.banned_at is null',
    filter.role && 'u.role = :role',
    search && '(u.username ilike :search or u.display_name ilike :search or u.id = :id)',
    parseCursor(cursor) !== null && 'u.id < :before',
  ].filter((condition) => typeof condition === 'string' && condition !== '');
  const { rows } = await db.raw<{ rows: AdminUserRow[] }>(
    `${SELECT_USERS} where ${conditions.join(' and ')} order by u.id desc limit :limit`,
    {
      role: filter.role ?? '',
      search: escapeLike(search ?? ''),
      id: asId(search),
      before: parseCursor(cursor) ?? 0,
      limit: limit + 1,
    },
  );
  return toPage(rows, limit, (row) => row.id);
};

/** One user as the administration sees them. */
export const findAdminUser = async (db: Db, id: string): Promise<AdminUserRow | undefined> => {
  const { rows } = await db.raw<{ rows: AdminUserRow[] }>(`${SELECT_USERS} where u.id = ? and u.deleted_at is null`, [
    id,
  ]);
  return rows[0];
};

/** Ads of every state but deleted, newest first. */
export const listAllAds = async (db: Db, filter: ListFilter, { cursor, limit }: Paging): Promise<Page<AdDetails>> => {
  const ids = selectAnyIds(filter, parseCursor(cursor), limit + 1);
  const { rows } = await db.raw<{ rows: AdDetails[] }>(
    `with ${ids.ctes} page as materialized (${ids.sql}) ${SELECT_ADS} where a.id in (select id from page) order by a.id desc`,
    ids.bindings,
  );
  return toPage(rows, limit, (row) => row.id);
};

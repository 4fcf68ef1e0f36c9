import type { AdminStats } from '../../../contract/admin.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Role } from '../../../contract/user.ts';
import { type Page, type Paging, parseCursor, queryPage, toPage } from '../../db/pagination.ts';
import type { Db } from '../../db/pools.ts';
import type { CategoryRow, UserRow } from '../../db/rows.ts';
import { type AdDetails, SELECT_ADS } from '../ads/repository.ts';
import type { ListFilter } from '../ads/search/query-builder.ts';
import { selectAnyIds } from '../ads/search/query-of-any-state.ts';
import { nameIn } from '../categories/names.ts';

export interface AdminUserRow extends UserRow {
  ad_count: string;
}

export interface UserFilter {
  search?: string | undefined;
  status?: 'active' | 'banned' | 'suspended' | undefined;
  role?: Role | undefined;
}

const escapeLike = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const asId = (text: string | undefined): string | null => (text !== undefined && /^\d{1,18}$/.test(text) ? text : null);

const SELECT_USERS = `select u.*, (select count(*) from ads a where a.user_id = u.id and a.state <> 'deleted') as ad_count
  from users u`;

export const listUsers = (db: Db, filter: UserFilter, paging: Paging): Promise<Page<AdminUserRow>> => {
  const search = filter.search?.trim().replace(/^@/, '') || undefined;
  const conditions = [
    'u.deleted_at is null',
    filter.status === 'banned' && 'u.banned_at is not null',
    filter.status === 'active' && 'u.banned_at is null and coalesce(u.suspended_until <= now(), true)',
    filter.status === 'suspended' && 'u.banned_at is null and u.suspended_until > now()',
    filter.role && 'u.role = :role',
    search && '(u.username ilike :search or u.display_name ilike :search or u.id = :id)',
  ].filter((condition) => typeof condition === 'string' && condition !== '');
  const sql = `${SELECT_USERS} where ${conditions.join(' and ')}`;
  const bindings = { role: filter.role ?? '', search: escapeLike(search ?? ''), id: asId(search) };
  return queryPage(db, [sql, bindings], paging, { column: 'u.id' });
};

export const findAdminUser = async (db: Db, id: string): Promise<AdminUserRow | undefined> => {
  const { rows } = await db.raw<{ rows: AdminUserRow[] }>(`${SELECT_USERS} where u.id = ? and u.deleted_at is null`, [
    id,
  ]);
  return rows[0];
};

export const listAllAds = async (db: Db, filter: ListFilter, { cursor, limit }: Paging): Promise<Page<AdDetails>> => {
  const ids = selectAnyIds({ ...filter, isSellerKept: true }, parseCursor(cursor), limit + 1);
  const { rows } = await db.raw<{ rows: AdDetails[] }>(
    `with ${ids.ctes} page as materialized (${ids.sql}) ${SELECT_ADS} where a.id in (select id from page) order by a.id desc`,
    ids.bindings,
  );
  return toPage(rows, limit, (row) => row.id);
};

type Numbers = Omit<
  AdminStats,
  'avgSessionDuration' | 'avgSessionSeconds' | 'bounceRate' | 'conversionRate' | 'topCategories'
> &
  Record<'visits' | 'bounces' | 'visitSeconds' | 'viewedAds' | 'answeredAds', number>;

const WINDOW = 30;

// The bounds are values: for a bound from a subquery the planner would not use the indexes. Only ads that are not
// deleted have a row in ad_views.
const NUMBERS = `
with seen as (
  select count(*)::int as visits, count(*) filter (where pages = 1)::int as bounces,
    coalesce(avg(extract(epoch from last_at - started_at)), 0)::float8 as "visitSeconds"
  from visits where started_at >= :since
)
select
  (select count(*) from users where deleted_at is null)::int as "totalUsers",
  (select count(*) from users where created_at >= :today and deleted_at is null)::int as "todaySignups",
  (select count(*) from ads where state <> 'deleted')::int as "totalAds",
  (select count(*) from ads where created_at >= :today and state <> 'deleted')::int as "todayAds",
  (select coalesce(sum(value), 0) from counter_totals where key like 'unsold:%')::int as "activeAds",
  (select count(*) from ads where state = 'pending')::int as "pendingAds",
  (select coalesce(sum(price), 0) from ads where is_sold and sold_at >= :month and state <> 'deleted')::float8 as "revenue",
  (select count(*) from users where last_seen_at >= :today)::int as "dailyActiveUsers",
  (select count(*) from ad_views where views > 0)::int as "viewedAds",
  (select count(distinct c.ad_id) from conversations c join ad_views v on v.ad_id = c.ad_id and v.views > 0
    where c.created_at >= :since)::int as "answeredAds",
  seen.*
from seen`;

interface Bounds {
  today: string;
  month: string;
  since: string;
}

const readBounds = async (db: Db, timeZone: string): Promise<Bounds> => {
  const { rows } = await db.raw<{ rows: Bounds[] }>(
    `select date_trunc('day', now(), :timeZone) as today, date_trunc('month', now(), :timeZone) as month,
       now() - interval '${WINDOW} days' as since`,
    { timeZone },
  );
  return rows[0]!;
};

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);

const inMinutes = (seconds: number): string => `${Math.floor(seconds / 60)}m ${seconds % 60}s`;

const readTopCategories = async (
  db: Db,
  activeAds: number,
  language: Language | undefined,
): Promise<AdminStats['topCategories']> => {
  const { rows } = await db.raw<{ rows: (Pick<CategoryRow, 'id' | 'slug' | 'name'> & { count: number })[] }>(
    `select c.id, c.slug, c.name, t.value::int as count from categories c join counter_totals t on t.key = 'unsold:' || c.id
     where t.value > 0 order by t.value desc, c.position limit 5`,
  );
  const named = await nameIn(db, rows, language);
  return named.map(({ name: category, count }) => ({ category, count, percentage: percent(count, activeAds) }));
};

/** Without a language, categories have their first names. */
export const readAdminStats = async (db: Db, timeZone: string, language?: Language): Promise<AdminStats> => {
  const { rows } = await db.raw<{ rows: Numbers[] }>(NUMBERS, { ...(await readBounds(db, timeZone)) });
  const { visits, bounces, visitSeconds, viewedAds, answeredAds, ...numbers } = rows[0]!;
  const avgSessionSeconds = Math.floor(visitSeconds);
  return {
    ...numbers,
    visits,
    avgSessionDuration: inMinutes(avgSessionSeconds),
    avgSessionSeconds,
    bounceRate: percent(bounces, visits),
    conversionRate: percent(answeredAds, viewedAds),
    topCategories: await readTopCategories(db, numbers.activeAds, language),
  };
};

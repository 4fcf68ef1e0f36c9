import type { Db } from '../../db/connect.ts';

/** What one visitor did since the last batch. */
export interface VisitPart {
  day: string;
  visitor: Buffer;
  firstAt: Date;
  lastAt: Date;
  pages: number;
}

/**
 * Continues each visitor's visit, or begins a new one after half an hour without a page. A part that follows the last page
 * within two seconds continues that page.
 */
export const addVisits = async (db: Db, parts: readonly VisitPart[]): Promise<void> => {
  await db.raw(
    `with parts as (
       select * from unnest(?::date[], ?::bytea[], ?::timestamptz[], ?::timestamptz[], ?::int[])
         as part (day, visitor, first_at, last_at, pages)
     ), continued as (
       update visits v set last_at = greatest(v.last_at, p.last_at),
         pages = v.pages + p.pages - (p.first_at < v.last_at + interval '2 seconds')::int
       from parts p where v.id = (
         select id from visits open where open.visitor = p.visitor and open.last_at > p.first_at - interval '30 minutes'
         order by open.last_at desc limit 1)
       returning p.visitor
     )
     insert into visits (day, visitor, started_at, last_at, pages)
     select day, visitor, first_at, last_at, pages from parts where visitor not in (select visitor from continued)`,
    [
      parts.map((part) => part.day),
      parts.map((part) => part.visitor),
      parts.map((part) => part.firstAt.toISOString()),
      parts.map((part) => part.lastAt.toISOString()),
      parts.map((part) => part.pages),
    ],
  );
};

/** Visits are kept for 90 days. */
export const deleteOldVisits = (db: Db): Promise<number> =>
  db('visits').whereRaw("started_at < now() - interval '90 days'").delete();

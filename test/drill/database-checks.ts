// What must hold in the database and in the bucket once the faults are over: rules that no single response shows.
import type { Db } from '../../server/db/pools.ts';
import { PERIODIC_JOBS } from '../../server/jobs/queue.ts';
import { findViolations } from '../deals/violations.ts';
import type { Ledger, Person, Problem } from './ledger.ts';
import type { DrillSite } from './site.ts';

/** Each statement describes what breaks its rule. */
const RULES: Record<string, string> = {
  'a counter differs from the count of its rows': `
    select format('%s is %s instead of %s', key, stored.value, counted.value)
    from counter_totals stored full join (
      select 'listed:' || category_id as key, count(*) as value from ads where listed group by category_id
      union all
      select 'unsold:' || category_id, count(*) from ads where listed and not is_sold group by category_id
      union all
      select 'users', count(*) from users where username is not null and banned_at is null
    ) counted using (key)
    where coalesce(stored.value, 0) <> coalesce(counted.value, 0)`,
  'the narrow copy of the listed ads differs from the ads': `
    select format('ad %s', coalesce(copied.id, a.id))
    from listed_ads copied full join ads_to_list a using (id)
    where (copied.words, copied.is_sold, copied.price, copied.has_photos, copied.category_id)
      is distinct from (a.words, a.is_sold, a.price, a.has_photos, a.category_id)`,
  'a deleted ad has left something behind': `
    select format('%s of ad %s', what, ad_id) from (
      select 'favorite' as what, ad_id from favorites union all
      select 'photo', ad_id from ad_images union all
      select 'price', ad_id from ad_prices union all
      select 'reservation', ad_id from reservations
    ) rows join ads on ads.id = ad_id and ads.state = 'deleted'`,
  'an ad says wrongly whether it has photos': `
    select format('ad %s', id) from ads
    where has_photos <> exists (select from ad_images where ad_id = ads.id) and state <> 'deleted'`,
  'a message has the wrong people or ad': `
    select format('message %s', m.id) from messages m join conversations c on c.id = m.conversation_id
    where m.ad_id <> c.ad_id or (m.sender_id, m.receiver_id) not in ((c.seller_id, c.buyer_id), (c.buyer_id, c.seller_id))`,
  // one of the crontab has a single attempt, until the next minute
  'a job has used up its attempts': `
    select format('%s: %s', task_identifier, last_error) from graphile_worker.jobs where attempts >= max_attempts and locked_at is null
      and task_identifier not in (${PERIODIC_JOBS.map((name) => `'${name}'`).join(', ')})`,
  'a job is held by a process that has ended': `
    select format('%s by %s', task_identifier, locked_by) from graphile_worker.jobs
    where locked_by is not null and locked_by not in (select id from queue_workers)`,
};

const findBrokenRules = async (db: Db): Promise<string[]> => {
  const found: string[] = [];
  for (const [rule, sql] of Object.entries(RULES)) {
    const { rows } = await db.raw<{ rows: { what: string }[] }>(`select what from (${sql}) broken (what) limit 5`);
    for (const { what } of rows) found.push(`${rule}: ${what}`);
  }
  return found;
};

const readNames = async (db: Db, sql: string): Promise<string[]> => {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(sql);
  return rows.map(({ name }) => name);
};

/** Images of ads have their objects, covers also a card or the job that makes it; every object has a row. */
const findBrokenImages = async ({ db, s3 }: Pick<DrillSite, 'db' | 's3'>): Promise<string[]> => {
  const shown = await readNames(db, `select distinct encode(sha256, 'hex') as name from ad_images`);
  const missing = shown.flatMap((name) =>
    ['full', 'thumb']
      .filter((variant) => !s3.objects.has(`${name}.${variant}.jpg`))
      .map((variant) => `${name}.${variant}`),
  );
  const covers = await readNames(
    db,
    `select distinct encode(sha256, 'hex') as name from ad_images where position = 0 and not exists (
       select from graphile_worker.jobs where key = 'card ' || encode(sha256, 'hex'))`,
  );
  const uncarded = covers.filter((name) => !s3.objects.has(`${name}.card.jpg`));
  const known = new Set(await readNames(db, `select encode(sha256, 'hex') as name from images`));
  const extra = [...s3.objects.keys()].filter((name) => !known.has(name.slice(0, 64)));
  return [
    ...missing.map((name) => `the image ${name} of an ad is not in the bucket`),
    ...uncarded.map((name) => `the cover ${name} has neither a card nor a job that makes it`),
    ...extra.map((name) => `the object ${name} has no row`),
  ];
};

/** Deleted ads keep a row without text, so their rows are counted. */
const findMiscountedAds = async (db: Db, { ads }: Ledger, people: readonly Person[]): Promise<Problem[]> => {
  const problems: Problem[] = [];
  for (const { id, name } of people) {
    const own = ads.filter(({ seller }) => seller.id === id).map(({ write }) => write.outcome);
    const least = own.filter((outcome) => outcome === 'acknowledged').length;
    const most = least + own.filter((outcome) => outcome === 'unknown').length;
    const count = (await db('ads').where({ user_id: id })).length;
    if (count < least) problems.push({ kind: 'lost', what: `${name} has ${count} of ${least} ads` });
    if (count > most) problems.push({ kind: 'doubled', what: `${name} has ${count} ads instead of ${most}` });
  }
  return problems;
};

const findUntrueEvents = async (db: Db, { eventIds }: Ledger): Promise<string[]> => {
  const ids = [...eventIds];
  const known: string[] = await db('messages').whereRaw('id = any(?::bigint[])', [ids]).pluck('id');
  return ids.filter((id) => !known.includes(id)).map((id) => `an event told of message ${id}, which does not exist`);
};

export const checkDatabase = async (site: DrillSite, ledger: Ledger, people: readonly Person[]): Promise<Problem[]> => {
  const { db } = site;
  const adIds: string[] = await db('ads').pluck('id');
  const violations = (await findViolations(db, adIds)).map(({ rule, id }) => `${rule}: ${id}`);
  const wrong = [
    ...violations,
    ...(await findBrokenRules(db)),
    ...(await findBrokenImages(site)),
    ...(await findUntrueEvents(db, ledger)),
    ...site.crashes,
  ];
  return [...(await findMiscountedAds(db, ledger, people)), ...wrong.map((what): Problem => ({ kind: 'wrong', what }))];
};

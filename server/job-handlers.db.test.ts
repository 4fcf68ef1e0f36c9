import { expect, test } from 'vitest';
import { openTestApp } from '../test/harness/app.ts';
import { insertUser } from '../test/harness/factories.ts';
import { cleanUp, jobHandlers } from './job-handlers.ts';
import { LANES } from './jobs/queue.ts';

const { app } = await openTestApp();
const count = async (table: string) => Number((await app.db(table).count<{ count: string }[]>())[0]!.count);

test('each job that mails waits for the mail server in a lane of mail', () => {
  const mails = Object.keys(jobHandlers).filter((name) => /\bmail\b/.test(name));
  expect([...LANES.mail, ...LANES.bulkMail].toSorted()).toEqual(mails.toSorted());
});

test('housekeeping deletes what is over and keeps the rest', async () => {
  const { id } = await insertUser(app);
  await app.db.raw(
    `insert into sessions (sid_hash, user_id, kind, data, expires_at)
     select sha256(n::text::bytea), ?, 'x', '{}', now() + n * interval '1 day' from unnest(array[-1, 1]) n`,
    [id],
  );
  await app.db.raw(`
    insert into idempotency_keys (scope, key, endpoint, body_hash, created_at)
      select 's', 'key ' || hours, 'e', '', now() - hours * interval '1 hour' from unnest(array[23, 25]) hours;
    insert into rate_limits (key, expire)
      select 'limit ' || n, extract(epoch from now()) * 1000 + n from unnest(array[-60000, 60000]) n;
    insert into visits (day, visitor, started_at)
      select current_date, '', now() - days * interval '1 day' from unnest(array[89, 91]) days;
    insert into ad_view_seen select current_date - days, 1, '' from unnest(array[1, 2]) days`);
  await cleanUp(app);
  for (const table of ['sessions', 'idempotency_keys', 'rate_limits', 'visits', 'ad_view_seen'])
    expect([table, await count(table)]).toEqual([table, 1]);
});

test.each([
  ['ad_view_seen', "insert into ad_view_seen select current_date - 2, n, '' from generate_series(1, 25000) n"],
  [
    'visits',
    "insert into visits (day, visitor, started_at) select current_date, '', now() - interval '91 days' from generate_series(1, 25000)",
  ],
])('a statement deletes a limited number of rows of %s', async (table, fill) => {
  await app.db.raw(`truncate ${table}`);
  await app.db.raw(fill);
  await app.db.raw(`
    create or replace function refuse_large() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 10000 then raise 'too many rows at once'; end if; return null; end $$;
    create trigger refuse_large after delete on ${table} referencing old table as gone
      for each statement execute function refuse_large()`);
  await cleanUp(app);
  expect(await count(table)).toBe(0);
});

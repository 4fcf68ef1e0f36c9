import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { openTestApp } from '../../../test/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/factories.ts';

const { app, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));
afterEach(() => vi.restoreAllMocks());

const openPerson = async () => {
  const { id } = await insertUser(app);
  return { id, client: await signIn(id) };
};

interface Statement {
  text: string;
}
type Sent = [statement: string | Statement];

/** What the pool asks PostgreSQL while `work` goes on; listeners and jobs have connections of other names. */
async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  const query = pg.Client.prototype.query as (...args: Sent) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as Sent;
    const { application_name: name } = (this as unknown as { connectionParameters: Record<string, string> })
      .connectionParameters;
    if (name === 'tradepost') asked.push(typeof statement === 'string' ? statement : statement.text);
    return query.apply(this, args as Sent) as never;
  });
  await work();
  vi.restoreAllMocks();
  return asked.map((text) => text.trim().split(/\s+/, 2).join(' ').toLowerCase());
}

/** Counters are flushed by the clock, and a connection that is opened meanwhile asks who it speaks to. */
const untilUndisturbed = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 20_000, interval: 50 });

/** Each is a round trip, one after the other: they are most of the time that a message takes. */
test('a message in a conversation asks PostgreSQL six times, with a key nine', async () => {
  const [seller, buyer] = [await openPerson(), await openPerson()];
  const { id } = await seller.client.ok(createAd, { body: adBody() });
  const body = { adId: id, receiverId: seller.id, content: 'Hello' };
  const send = (headers = {}) => buyer.client.ok(sendMessage, { body, headers });
  await send();

  const session = 'select s.user_id,';
  const limit = 'insert into';
  const written = ['with people', 'with held'];
  await untilUndisturbed(async () =>
    expect(await listStatements(() => send())).toEqual([session, limit, 'begin;', ...written, 'commit;']),
  );
  const claim = ['select pg_try_advisory_xact_lock(hashtextextended($1,', 'select *'];
  await untilUndisturbed(async () => {
    const key = randomUUID();
    const keyed = await listStatements(() => send({ 'Idempotency-Key': key }));
    expect(keyed).toEqual([session, limit, 'begin;', ...claim, ...written, 'insert into', 'commit;']);
  });
});

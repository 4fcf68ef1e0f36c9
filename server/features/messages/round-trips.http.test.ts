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
type Answered = (...answer: unknown[]) => void;
type Sent = [statement: string | Statement, answered: Answered];

const toWords = (statement: string | Statement): string =>
  (typeof statement === 'string' ? statement : statement.text).trim().split(/\s+/, 2).join(' ').toLowerCase();

/**
 * What the pool asks PostgreSQL while `work` goes on: those statements together that are sent before any of them is
 * answered. Listeners and jobs have connections of other names.
 */
async function listRoundTrips(work: () => Promise<unknown>): Promise<string[][]> {
  const trips: string[][] = [];
  let unanswered = 0;
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const { application_name: name } = (this as unknown as { connectionParameters: Record<string, string> })
      .connectionParameters;
    if (name !== 'tradepost') return query.apply(this, args) as never;
    const [statement, answered] = args as Sent;
    if (unanswered++ === 0) trips.push([]);
    trips.at(-1)!.push(toWords(statement));
    const count: Answered = (...answer) => {
      unanswered--;
      answered(...answer);
    };
    return query.call(this, statement, count) as never;
  });
  await work();
  vi.restoreAllMocks();
  return trips;
}

/** Counters are flushed by the clock, and a connection that is opened meanwhile asks who it speaks to. */
const untilUndisturbed = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 20_000, interval: 50 });

/** They are most of the time that a message takes. */
test('a message in a conversation takes three round trips to PostgreSQL, with a key five', async () => {
  const [seller, buyer] = [await openPerson(), await openPerson()];
  const { id } = await seller.client.ok(createAd, { body: adBody() });
  const body = { adId: id, receiverId: seller.id, content: 'Hello' };
  const send = (headers = {}) => buyer.client.ok(sendMessage, { body, headers });
  await send();

  const admitted = ['insert into', 'select s.user_id,'];
  await untilUndisturbed(async () =>
    expect(await listRoundTrips(() => send())).toEqual([admitted, ['begin;', 'with people'], ['with held', 'commit;']]),
  );
  const claim = ['select pg_try_advisory_xact_lock(hashtextextended($1,', 'select *'];
  await untilUndisturbed(async () => {
    const key = randomUUID();
    const keyed = await listRoundTrips(() => send({ 'Idempotency-Key': key }));
    expect(keyed).toEqual([admitted, ['begin;', ...claim], ['with people'], ['with held'], ['insert into', 'commit;']]);
  });
});

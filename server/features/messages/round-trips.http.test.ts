import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { listRoundTrips, untilUndisturbed } from '../../../test/harness/round-trips.ts';

const { app, createPerson } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));

test('a message in a conversation takes seven round trips to PostgreSQL, with a key ten', async () => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  const { id } = await seller.client.ok(createAd, { body: adBody() });
  const body = { adId: id, receiverId: seller.id, content: 'Hello' };
  const send = (headers = {}) => buyer.client.ok(sendMessage, { body, headers });
  await send();

  const admitted = ['insert into', 'select s.user_id,'];
  await untilUndisturbed(async () =>
    expect(await listRoundTrips(() => send())).toEqual([
      admitted,
      ['begin;'],
      ['with sender'],
      ['select (select'],
      ['with locked'],
      ['select pg_notify($1,'],
      ['commit;'],
    ]),
  );
  const claim = [['select pg_try_advisory_xact_lock(hashtextextended($1,'], ['select *']];
  await untilUndisturbed(async () => {
    const key = randomUUID();
    const keyed = await listRoundTrips(() => send({ 'Idempotency-Key': key }));
    const write = [['with sender'], ['select (select'], ['with locked'], ['select pg_notify($1,'], ['insert into']];
    expect(keyed).toEqual([admitted, ['begin;'], ...claim, ...write, ['commit;']]);
  });
});

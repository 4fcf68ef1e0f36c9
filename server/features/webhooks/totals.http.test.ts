import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { startWebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import { addWebhook, sendDue, WEBHOOK_ENV } from '../../../test/harness/webhooks.ts';
import { inTransaction } from '../../db/transaction.ts';
import { readWebhookTotals } from './deliveries-repository.ts';
import { insertWebhookEvents } from './events-repository.ts';

const { app, createPerson } = await openTestApp({ env: WEBHOOK_ENV });
const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());
beforeEach(() => app.db('webhooks').delete());

const connect = async () => {
  const person = await createPerson();
  await addWebhook(person.client, receiver.url, ['message.received']);
  const happen = () =>
    inTransaction(app.db, (trx) =>
      insertWebhookEvents(trx, [
        { type: 'message.received', userId: person.id, data: { messageId: '7', adId: '8', personId: '9' } },
      ]),
    );
  return { person, happen };
};

const totals = () => readWebhookTotals(app.db);
const answer = (status: number) => {
  receiver.respond = (res) => void res.writeHead(status).end();
};

const countAttempts = async () => {
  const { values } = await app.metrics.registry.getSingleMetric('tradepost_webhook_attempts_total')!.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
};

test('attempts are counted by outcome, from the start', async () => {
  expect(await countAttempts()).toEqual({ delivered: 0, retried: 0, failed: 0 });
  const { happen } = await connect();
  for (const status of [204, 500, 410]) {
    answer(status);
    await happen();
    await sendDue(app);
  }
  expect(await countAttempts()).toEqual({ delivered: 1, retried: 1, failed: 1 });
});

test('the totals say what waits, how late the sender is, and which webhooks fail or were given up', async () => {
  const none = { webhooksFailing: 0, webhooksGivenUp: 0, webhookDeliveriesWaiting: 0, webhookSecondsLate: 0 };
  const { happen } = await connect();
  expect(await totals()).toEqual({ ...none, webhooksOn: 1 });
  await happen();
  await happen();
  await app.db.raw("update webhook_deliveries set next_at = now() - interval '10 minutes'");
  const late = await totals();
  expect(late).toMatchObject({ webhooksOn: 1, webhookDeliveriesWaiting: 2 });
  expect(Math.floor(late.webhookSecondsLate / 60)).toBe(10);
  answer(500);
  await sendDue(app);
  expect(await totals()).toEqual({ ...none, webhooksOn: 1, webhooksFailing: 1, webhookDeliveriesWaiting: 2 });
  answer(410);
  await app.db.raw('update webhook_deliveries set next_at = now()');
  await sendDue(app);
  expect(await totals()).toEqual({ ...none, webhooksOn: 0, webhooksGivenUp: 1 });
});

test('what waits for people who are shut out makes nobody late', async () => {
  const { person, happen } = await connect();
  await happen();
  await app.db.raw("update webhook_deliveries set next_at = now() - interval '10 minutes'");
  await app.db('users').where({ id: person.id }).update({ banned_at: app.db.fn.now() });
  expect(await totals()).toMatchObject({ webhookDeliveriesWaiting: 0, webhookSecondsLate: 0 });
});

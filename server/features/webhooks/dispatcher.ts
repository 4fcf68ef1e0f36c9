import { LIMITS } from '../../../contract/limits.ts';
import { type AppContext, perProcess } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEnglish } from '../../error-phrases.ts';
import { enqueue } from '../../jobs/queue.ts';
import { insertNotifications, type NewNotification } from '../notifications/repository.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryEnd,
  endAttempts,
  endDeliveries,
  findNextDelivery,
  SWITCHED_OFF,
} from './deliveries-repository.ts';
import { toMessageId } from './presenter.ts';
import { judgeAnswer, type Verdict } from './rules.ts';
import { type Sent, sendToReceiver, TIMEOUT_MS } from './send.ts';
import { listAdministrators, noteArrivals, noteFailures, type WebhookRow } from './webhooks-repository.ts';

/*
 * Each process has one dispatcher, which a job wakes. It holds many requests at once and one connection to the database: a receiver
 * that does not answer costs an open socket and no worker.
 *
 *   fast    requests younger than a quarter of a second; only webhooks whose last delivery arrived
 *   slow    older ones, and those of webhooks whose last delivery failed, which have a part of it at most
 *
 * So a receiver that hangs leaves the fast requests at once, and once it has failed it never returns to them before a
 * delivery has arrived. Of one webhook a few requests run at once, of one host a few more.
 */

const FAST = 256;
const SLOW_AFTER_MS = 250;
const SLOW = 512;
const SLOW_OF_FAILING = 256;
const OF_WEBHOOK = 8;
const OF_HOST = 32;
/** Longer than any attempt: then it counts as interrupted, because its process was killed. */
const LEASE_MS = TIMEOUT_MS + 20_000;
/** What waits for less is waited for here, the rest by a job. */
const SOON_MS = 250;
/** While requests run, other replicas and late commits may have left something. */
const LOOK_MS = 250;

interface Flight {
  delivery: ClaimedDelivery;
  isFailing: boolean;
  begunAt: number;
}

interface Landing {
  delivery: ClaimedDelivery;
  sent: Sent;
}

interface Dispatcher {
  isRunning: boolean;
  wake: () => void;
}

const getDispatcher = perProcess((): Dispatcher => ({ isRunning: false, wake: () => {} }));

/** Sends what is due, and returns when nothing is due or under way. If another call does that already, wakes it. */
export async function sendWebhooks(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const dispatcher = getDispatcher(ctx);
  if (dispatcher.isRunning) return dispatcher.wake();
  dispatcher.isRunning = true;
  try {
    await dispatch(ctx, dispatcher, signal);
  } finally {
    dispatcher.isRunning = false;
  }
  await scheduleNext(ctx);
}

async function dispatch(ctx: AppContext, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> {
  const flights = new Map<string, Flight>();
  const landed: Landing[] = [];
  for (;;) {
    // a wake-up during what follows is not lost
    const news = Promise.withResolvers<void>();
    dispatcher.wake = news.resolve;
    if (landed.length > 0) await record(ctx, landed.splice(0));
    const begun = signal.aborted ? [] : await claim(ctx, flights);
    for (const flight of begun) {
      flights.set(flight.delivery.id, flight);
      void launch(ctx, flight.delivery).then((sent) => {
        flights.delete(flight.delivery.id);
        landed.push({ delivery: flight.delivery, sent });
        dispatcher.wake();
      });
    }
    if (begun.length > 0 || landed.length > 0) continue;
    if (flights.size === 0) return;
    await waitFor(news.promise, LOOK_MS);
  }
}

const waitFor = (news: Promise<void>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void news.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** What runs now, as far as it decides what else may begin. */
const countFlights = (flights: Iterable<Flight>) => {
  const now = performance.now();
  const counts = { fast: 0, slow: 0, failing: 0, webhooks: new Set<string>(), hosts: new Map<string, number>() };
  for (const { delivery, isFailing, begunAt } of flights) {
    const isSlow = isFailing || now - begunAt > SLOW_AFTER_MS;
    counts[isSlow ? 'slow' : 'fast']++;
    if (isFailing) counts.failing++;
    counts.webhooks.add(delivery.webhook_id);
    counts.hosts.set(delivery.host, (counts.hosts.get(delivery.host) ?? 0) + 1);
  }
  return counts;
};

async function claim({ db }: AppContext, flights: ReadonlyMap<string, Flight>): Promise<Flight[]> {
  const counts = countFlights(flights.values());
  const limits = {
    busy: [...counts.webhooks],
    busyHosts: [...counts.hosts].filter(([, count]) => count >= OF_HOST).map(([host]) => host),
    ofHost: OF_HOST,
    leaseMs: LEASE_MS,
  };
  // slow requests beyond their number take the place of fast ones
  const room = FAST - counts.fast - Math.max(0, counts.slow - SLOW);
  const failingRoom = Math.min(SLOW_OF_FAILING - counts.failing, SLOW - counts.slow);
  const take = async (isFailing: boolean, most: number, ofWebhook: number): Promise<Flight[]> => {
    if (most <= 0) return [];
    const claimed = await inTransaction(db, (trx) =>
      claimDeliveries(trx, { ...limits, isFailing, room: most, ofWebhook }),
    );
    const begunAt = performance.now();
    return claimed.map((delivery) => ({ delivery, isFailing, begunAt }));
  };
  return [...(await take(false, room, OF_WEBHOOK)), ...(await take(true, failingRoom, 1))];
}

const INTERRUPTED: Sent = { status: null, error: { key: 'webhooks.interrupted' }, durationMs: 0 };

const launch = async (ctx: AppContext, delivery: ClaimedDelivery): Promise<Sent> => {
  if (delivery.begun >= LIMITS.webhookAttempts) return INTERRUPTED;
  const {
    webhook_id: id,
    message_id,
    type,
    data,
    created_at: at,
    ad_title: adTitle,
    is_changing: isChanging,
  } = delivery;
  return sendToReceiver(ctx, { ...delivery, id, isChanging }, toMessageId(message_id), { type, data, at, adTitle });
};

const toEnd = ({ delivery: { id, attempts }, sent }: Landing, verdict: Verdict): DeliveryEnd => ({
  id,
  attempts,
  status: verdict.status,
  waitMs: verdict.status === 'waiting' ? verdict.waitMs : null,
  responseStatus: sent.status,
  error: sent.error && toEnglish(sent.error),
  errorPhrase: sent.error,
  durationMs: sent.durationMs,
});

async function record(ctx: AppContext, landed: readonly Landing[]): Promise<void> {
  const judged = landed.map((landing) => ({
    landing,
    verdict: judgeAnswer(landing.sent, landing.delivery.attempts, Math.random()),
  }));
  await inTransaction(ctx.db, async (trx) => {
    await endAttempts(
      trx,
      judged.map(({ landing, verdict }) => toEnd(landing, verdict)),
    );
    const failures = judged.flatMap(({ landing, verdict }) =>
      verdict.status === 'delivered'
        ? []
        : [
            {
              id: landing.delivery.webhook_id,
              holdMs: verdict.holdMs,
              isGone: verdict.status === 'failed' && verdict.isGone,
            },
          ],
    );
    const ended = failures.length > 0 ? await noteFailures(trx, failures, LIMITS.webhookFailingDays) : [];
    const arrived = judged.filter(({ verdict }) => verdict.status === 'delivered');
    if (arrived.length > 0)
      await noteArrivals(
        trx,
        arrived.map(({ landing }) => landing.delivery.webhook_id),
      );
    if (ended.length === 0) return;
    await endDeliveries(
      trx,
      ended.map(({ id }) => id),
      SWITCHED_OFF,
    );
    const admins = ended.some(({ user_id }) => user_id === null) ? await listAdministrators(trx) : [];
    await insertNotifications(
      trx,
      ended.flatMap((webhook) =>
        (webhook.user_id === null ? admins : [webhook.user_id]).map((userId) => toNotice(webhook, userId)),
      ),
    );
  });
  for (const { landing, verdict } of judged) {
    ctx.metrics.webhookAttemptEnded(verdict.status === 'waiting' ? 'retried' : verdict.status);
    if (verdict.status === 'failed')
      ctx.log.warn({ deliveryId: landing.delivery.id, webhookId: landing.delivery.webhook_id }, 'a webhook failed');
  }
}

const toNotice = (
  { user_id, host, off_reason }: Pick<WebhookRow, 'user_id' | 'host' | 'off_reason'>,
  userId: string,
): NewNotification => ({
  userId,
  kind: 'notice',
  params:
    off_reason === 'gone'
      ? { is: 'webhookGone', host }
      : { is: 'webhookFailing', host, days: LIMITS.webhookFailingDays },
  url: user_id === null ? '/admin?tab=webhooks' : '/preferences#webhooks',
});

/** A job for what is due later. One that is due soon is worth a moment here. */
async function scheduleNext(ctx: AppContext): Promise<void> {
  const ms = await findNextDelivery(ctx.db);
  if (ms === null) return;
  const runAt = new Date(ctx.clock.now().valueOf() + Math.max(ms, SOON_MS));
  await inTransaction(ctx.db, (trx) => enqueue(trx, 'send-webhooks', {}, { runAt, key: 'send-webhooks later' }));
}

import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { setAccountStatus } from './account-store.ts';
import type { Outcome } from './outcome.ts';
import { lockPost, updatePost, type XPostRow } from './post-store.ts';
import { enqueuePost } from './queue.ts';
import { resumePosting, stopPosting } from './stop-store.ts';

/** X's price for one post with a link, in US dollars (pay per use, August 2026). */
const PRICE_USD = '0.20';
const TRIES = 7;
const FIRST_PAUSE_S = 30;

/** X has it. Recorded even if somebody gave the post up meanwhile. */
export const recordPosted = (app: App, post: XPostRow, xPostId: string | null): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    const paid = xPostId ? { x_post_id: xPostId, cost_usd: PRICE_USD } : {};
    await updatePost(trx, post.id, { status: 'posted', error: null, next_attempt_at: null, ...paid });
    if (await resumePosting(trx)) app.log.info('X takes posts again');
  });

export const recordOutcome = (app: App, post: XPostRow, outcome: Outcome, transactionId?: string): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    const row = await lockPost(trx, post.id);
    // given up by the sweep, or taken by another worker: what this one saw counts no more
    if (row?.status !== post.status || row.attempts !== post.attempts) return;
    await applyOutcome(trx, app, row, outcome, transactionId ?? null);
  });

async function applyOutcome(trx: Trx, app: App, post: XPostRow, outcome: Outcome, transaction_id: string | null) {
  switch (outcome.kind) {
    case 'posted':
      return updatePost(trx, post.id, { status: 'posted', error: null, transaction_id });
    case 'unknown':
      return updatePost(trx, post.id, { status: 'unknown', is_ambiguous: true, error: outcome.error, transaction_id });
    case 'failed':
      if (outcome.account) await setAccountStatus(trx, post.user_id, outcome.account);
      if (outcome.alert) app.log.error({ error: outcome.error }, "X refuses this site's app: posts to X fail");
      return updatePost(trx, post.id, { status: 'failed', error: outcome.error, transaction_id });
    case 'stop':
      return waitForCredits(trx, app, post, outcome.error);
    case 'retry':
      return tryLater(trx, app, post, outcome, transaction_id);
  }
}

async function waitForCredits(trx: Trx, app: App, post: XPostRow, error: string): Promise<void> {
  const stop = await stopPosting(trx, error, app.clock.now());
  app.log.error({ until: stop.until, error }, "X's credits are used up: all posting has stopped");
  await updatePost(trx, post.id, { status: 'pending', attempts: uncounted(post), next_attempt_at: stop.until, error });
  await enqueuePost(trx, post.id, new Date(stop.until));
}

type Retry = Extract<Outcome, { kind: 'retry' }>;

async function tryLater(
  trx: Trx,
  app: App,
  post: XPostRow,
  { seconds, isAmbiguous, error }: Retry,
  transaction_id: string | null,
) {
  const is_ambiguous = post.is_ambiguous || isAmbiguous;
  const change = { is_ambiguous, error, transaction_id };
  if (seconds === null && post.attempts >= TRIES)
    return updatePost(trx, post.id, { ...change, status: is_ambiguous ? 'unknown' : 'failed' });
  const pause = seconds ?? FIRST_PAUSE_S * 2 ** Math.max(0, post.attempts - 1) * (1 + Math.random() / 4);
  const at = new Date(app.clock.now().valueOf() + pause * 1000);
  const attempts = seconds === null ? post.attempts : uncounted(post);
  await updatePost(trx, post.id, { ...change, status: 'pending', attempts, next_attempt_at: at.toISOString() });
  await enqueuePost(trx, post.id, at);
}

/** Being told to wait is no failed try. */
const uncounted = ({ attempts }: XPostRow): number => Math.max(0, attempts - 1);

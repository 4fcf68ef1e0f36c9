import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/store.ts';
import { countWaitingPosts, listStoppedPosts, updatePost } from './post-store.ts';
import { enqueuePost } from './queue.ts';
import { findStop, resumePosting } from './stop-store.ts';

/** How posting to X is, for an operator. */
export interface PostingState {
  /** `off` and `intent`: the marketplace itself posts nothing (X_POSTING). */
  posting: 'off' | 'intent' | 'on' | 'stopped';
  since: string | null;
  /** X's word for it. */
  reason: string | null;
  /** When one post tries whether X takes posts again. */
  until: string | null;
  waiting: number;
}

export async function readPostingState({ db, config }: Pick<App, 'db' | 'config'>): Promise<PostingState> {
  const [stop, waiting] = [await findStop(db), await countWaitingPosts(db)];
  const mode = config.xPosting === 'api' ? 'on' : config.xPosting;
  if (!stop) return { posting: mode, since: null, reason: null, until: null, waiting };
  const { since, reason, until } = stop;
  return { posting: mode === 'on' ? 'stopped' : mode, since, reason, until, waiting };
}

/**
 * Lifts the stop before its time: what waited because of it is sent from now on. If X still takes nothing, posting stops
 * anew. Returns how many posts that are; undefined where nothing was stopped.
 */
export const liftStop = (
  app: App,
  actor: Actor,
  { reason }: { reason?: string | undefined } = {},
): Promise<number | undefined> =>
  inTransaction(app.db, async (trx) => {
    const stop = await findStop(trx);
    if (!stop) return undefined;
    // posts before the stop: whoever sends locks them in this order, too
    const posts = await listStoppedPosts(trx, stop.reason);
    if (!(await resumePosting(trx))) return undefined;
    for (const id of posts) {
      await updatePost(trx, id, { next_attempt_at: null, error: null });
      await enqueuePost(trx, id);
    }
    const details = { since: stop.since, posts: posts.length, reason };
    await recordAudit(trx, actor, { action: 'posting.resume', details });
    return posts.length;
  });

import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import { giveUpLostSenders, listForgottenPosts } from './post-store.ts';
import { enqueuePost } from './queue.ts';

// Longer than any sender can take: two calls to X, a refresh and a wait for its lock.
const LOST_AFTER_S = 180;

/** Finds what a killed process left behind, and posts whose ad has come out of review. */
export const sweepPosts = (app: App): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    const lost = await giveUpLostSenders(trx, LOST_AFTER_S);
    if (lost.length > 0) app.log.warn({ posts: lost }, 'posts to X whose fate is unknown');
    for (const postId of await listForgottenPosts(trx, LOST_AFTER_S)) await enqueuePost(trx, postId);
  });

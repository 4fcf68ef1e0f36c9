import { XError } from '../../adapters/x.ts';
import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import { claimPost, mustWait } from './claim.ts';
import { judgeFailure, type Outcome } from './outcome.ts';
import { updatePost, type XPostRow } from './post-store.ts';
import { recordOutcome, recordPosted } from './record.ts';
import { type Access, getAccessToken } from './tokens.ts';

/**
 * Sends one post, at most once: "sending" is committed before X is called, so a process that dies in between leaves a post
 * that nobody sends again by itself (sweep.ts calls it unknown).
 */
export async function sendPost(app: App, { postId }: { postId: string }): Promise<void> {
  const ready = await inTransaction(app.db, async (trx) => {
    const post = await claimPost(trx, app, postId);
    return post && !(await mustWait(trx, app, post)) ? post : undefined;
  });
  if (!ready) return;
  const access = await getAccessToken(app, ready.user_id);
  if ('failure' in access) return recordOutcome(app, ready, judgeAccess(app, access));
  // asked again: a token may have taken its time
  const post = await inTransaction(app.db, async (trx) => {
    const claimed = await claimPost(trx, app, postId);
    if (!claimed) return undefined;
    const change = { status: 'sending' as const, attempts: claimed.attempts + 1, error: null };
    await updatePost(trx, postId, change);
    return { ...claimed, ...change };
  });
  if (post) await deliver(app, post, access.token);
}

async function deliver(app: App, post: XPostRow, token: string): Promise<void> {
  try {
    const { id } = await createWithFreshToken(app, post, token);
    await recordPosted(app, post, id);
  } catch (error) {
    if (error instanceof AccessLost) return recordOutcome(app, post, judgeAccess(app, error.access));
    if (!(error instanceof XError)) throw error;
    app.log.warn(
      { err: error, detail: error.detail, postId: post.id, transactionId: error.transactionId },
      'X refused a post',
    );
    await recordOutcome(app, post, judgeFailure(error, post.is_ambiguous, app.clock.now()), error.transactionId);
  }
}

type NoAccess = Exclude<Access, { token: string }>;

class AccessLost extends Error {
  readonly access: NoAccess;
  constructor(access: NoAccess) {
    super('no access token');
    this.access = access;
  }
}

/** On 401 the token is refreshed, once. */
async function createWithFreshToken(app: App, post: XPostRow, token: string): Promise<{ id: string }> {
  try {
    return await app.x.createPost(token, post.body);
  } catch (error) {
    if (!(error instanceof XError) || error.status !== 401) throw error;
    const access = await getAccessToken(app, post.user_id, token);
    if ('failure' in access) throw new AccessLost(access);
    return app.x.createPost(access.token, post.body);
  }
}

/** Without a token nothing was sent, so trying later is safe whatever the reason was. */
const judgeAccess = (app: App, access: NoAccess): Outcome => {
  if (access.failure === 'broken') return { kind: 'failed', error: 'reauth' };
  const { rateLimit } = access.error;
  const seconds =
    rateLimit && access.error.status === 429 ? rateLimit.resetAt - app.clock.now().valueOf() / 1000 : null;
  return { kind: 'retry', seconds, isAmbiguous: false, error: 'no access token' };
};

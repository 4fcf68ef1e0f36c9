import { XError } from '../../adapters/x.ts';
import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import { enqueue, type JobPayloads } from '../../jobs/queue.ts';
import { deleteAccount, lockAccount, type XAccountRow } from './account-store.ts';
import { vaultOf } from './link.ts';

type SealedTokens = JobPayloads['revoke-x-tokens'];

/** Deletes a person's link to X; X is asked to forget its tokens as soon as this transaction commits. */
export async function dropLink(trx: Trx, userId: string): Promise<void> {
  const account = await lockAccount(trx, userId);
  if (!account) return;
  await queueRevocation(trx, account);
  await deleteAccount(trx, userId);
}

/** The queue holds the tokens sealed as the row did, and no longer than it takes. */
export async function queueRevocation(trx: Trx, account: XAccountRow): Promise<void> {
  if (!account.token_key_id) return;
  await enqueue(trx, 'revoke-x-tokens', {
    userId: account.user_id,
    env: account.env,
    keyId: account.token_key_id,
    access: account.access_token?.toString('base64') ?? null,
    refresh: account.refresh_token?.toString('base64') ?? null,
  });
}

/** Revokes both tokens: whether one takes the other along is not documented. Tried again for as long as X is away. */
export async function revokeTokens(app: App, sealed: SealedTokens): Promise<void> {
  if (sealed.env !== app.config.xMode) return;
  for (const kind of ['refresh', 'access'] as const) {
    const token = openToken(app, sealed, kind);
    if (token) await revokeToken(app, token);
  }
}

const openToken = (app: App, sealed: SealedTokens, kind: 'access' | 'refresh'): string | null => {
  const bytes = sealed[kind];
  return bytes && vaultOf(app.config).open(Buffer.from(bytes, 'base64'), sealed.keyId, { ...sealed, kind });
};

/** A refusal is final: X knows no such token any more, or never will. */
async function revokeToken(app: App, token: string): Promise<void> {
  try {
    await app.x.revoke(token);
  } catch (error) {
    const isFinal = error instanceof XError && error.status !== undefined && error.status < 429;
    if (!isFinal) throw error;
    app.log.warn({ err: error }, 'X refused to revoke a token');
  }
}

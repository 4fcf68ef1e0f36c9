import type { AppContext } from '../../app-context.ts';
import { publish } from '../../db/events.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toLocaleOf } from '../../lib/locales.ts';
import type { UserActor } from '../../policy.ts';
import { updateUser } from '../users/repository.ts';

/** Keeps the language that a person has chosen. It must be one of the marketplace's. */
export async function setLanguage(ctx: AppContext, actor: UserActor, language: string): Promise<void> {
  toLocaleOf(ctx.config, language);
  await inTransaction(ctx.db, async (trx) => {
    await updateUser(trx, actor.id, { language });
    // every replica keeps the actor of a session for some seconds
    await publish(trx, 'sessions', { userId: actor.id });
  });
}

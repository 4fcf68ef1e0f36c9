import type { AppContext } from '../../app-context.ts';
import { isTimeZone } from '../../config/values.ts';
import { publish } from '../../db/events.ts';
import { inTransaction } from '../../db/transaction.ts';
import { isProgram, type UserActor } from '../../policy.ts';
import { updateUser } from './repository.ts';

/** The longest name that is known has 32 characters. */
const MAX_LENGTH = 50;

/** Keeps the time zone of the browser with the account. One that this server does not know changes nothing, nor does a failure. */
export async function rememberTimeZone(
  { db, log }: Pick<AppContext, 'db' | 'log'>,
  actor: UserActor,
  timeZone: string | undefined,
): Promise<void> {
  if (timeZone === undefined || timeZone === actor.timeZone || isProgram(actor)) return;
  if (timeZone.length > MAX_LENGTH || !isTimeZone(timeZone)) return;
  const store = inTransaction(db, async (trx) => {
    await updateUser(trx, actor.id, { time_zone: timeZone });
    // every replica keeps the actor of a session for some seconds
    await publish(trx, 'sessions', { userId: actor.id });
  });
  await store.catch((err) => log.warn({ err }, 'time zone not stored'));
}

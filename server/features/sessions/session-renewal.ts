import type { RequestInfo, SessionRenewal } from '../../endpoints/define.ts';
import type { AuditContext } from '../audit/repository.ts';

/** Who changes a way in, and the session that stays, under another id. */
export interface SessionChange extends AuditContext {
  sessionHash?: Buffer | undefined;
  renewal?: SessionRenewal | undefined;
}

/** Runs a change of the ways in. If it renewed the session, the browser gets the new id: who took the former one is out as well. */
export async function withRenewal<R>(request: RequestInfo, work: (change: SessionChange) => Promise<R>): Promise<R> {
  const renewal = request.renewSession();
  const result = await work({ requestId: request.id, sessionHash: renewal?.former, renewal });
  if (renewal?.isStored) renewal.send();
  return result;
}

import type { EndpointSpec } from '../../../contract/endpoint.ts';
import type { AppContext } from '../../app-context.ts';
import { AppError, accountSuspended, unauthenticated } from '../../errors.ts';
import {
  ANONYMOUS,
  type AnonymousActor,
  getSuspensionEnd,
  mayCall,
  mayCallSuspended,
  type UserActor,
} from '../../policy.ts';

/**
 * The actor for whom the endpoint runs. A suspended user reads what is public as a visitor. @throws {AppError}
 * unauthenticated, forbidden, account_suspended
 */
export function authorize(
  { clock }: Pick<AppContext, 'clock'>,
  actor: UserActor | AnonymousActor,
  spec: EndpointSpec,
): UserActor | AnonymousActor {
  const suspendedUntil = getSuspensionEnd(actor, clock.now());
  if (suspendedUntil !== null) {
    if (!mayCallSuspended(spec)) throw accountSuspended(suspendedUntil);
    if (!spec.whileSuspended) return ANONYMOUS;
  }
  if (mayCall(actor, spec.access)) return actor;
  if (actor.kind !== 'user') throw unauthenticated();
  const message = spec.access === 'moderator' ? 'Administrators and moderators only' : 'Administrators only';
  throw new AppError('forbidden', { message });
}

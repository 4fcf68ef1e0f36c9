import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { isStaffScope } from '../../../contract/scopes.ts';
import type { AppContext } from '../../app-context.ts';
import { accountSuspended, forbidden, insufficientScope, unauthenticated } from '../../errors.ts';
import {
  ANONYMOUS,
  type AnonymousActor,
  getSuspensionEnd,
  isProgram,
  mayCall,
  mayCallSuspended,
  mayUseScope,
  type UserActor,
} from '../../policy.ts';

/**
 * The actor for whom the endpoint runs. A suspended user reads what is public as a visitor, and their programs do nothing. @throws
 * {AppError} unauthenticated, forbidden, insufficient_scope, account_suspended
 */
export function authorize(
  { clock }: Pick<AppContext, 'clock'>,
  caller: UserActor | AnonymousActor,
  spec: EndpointSpec,
): UserActor | AnonymousActor {
  const suspendedUntil = getSuspensionEnd(caller, clock.now());
  if (suspendedUntil !== null) {
    if (isProgram(caller) || !mayCallSuspended(spec)) throw accountSuspended(suspendedUntil);
    if (!spec.whileSuspended) return ANONYMOUS;
  }
  if (!mayUseScope(caller, spec.scope)) throw insufficientScope(spec.scope === 'session' ? undefined : spec.scope);
  const actor = limitToScope(caller, spec);
  if (mayCall(actor, spec.access)) return actor;
  if (actor.kind !== 'user') throw unauthenticated();
  throw forbidden(spec.access === 'moderator' ? 'errors.staffOnly' : 'errors.adminsOnly');
}

/** A program reads what is public as a visitor, and is staff only where the endpoint asks for a scope of staff. */
function limitToScope(actor: UserActor | AnonymousActor, { scope }: EndpointSpec): UserActor | AnonymousActor {
  if (actor.kind !== 'user' || !isProgram(actor)) return actor;
  if (scope === 'public') return ANONYMOUS;
  return isStaffScope(scope) ? actor : { ...actor, role: 'user' };
}

import type { Exchange, Reply } from './http.ts';
import * as problems from './http.ts';

/** What may go wrong. `-after` kinds do the work first and then lose or spoil the answer. */
const ANSWERS = {
  'server-error': problems.serverError,
  unavailable: problems.unavailable,
  'bad-gateway': problems.badGateway,
  unauthorized: problems.unauthorized,
  'credits-depleted': problems.creditsDepleted,
  forbidden: problems.forbidden,
  duplicate: problems.duplicate,
  'client-forbidden': problems.clientForbidden,
  'user-suspended': problems.suspended,
  locked: problems.locked,
  'rate-limited': problems.rateLimited,
  'rate-limited-old-style': problems.rateLimitedOldStyle,
  'invalid-request': () => problems.invalidRequest('Rejected by a fault switch.'),
} satisfies Record<string, () => Reply>;

export type FaultKind =
  | keyof typeof ANSWERS
  | 'slow'
  | 'slow-after'
  | 'drop-before'
  | 'drop-after'
  | 'unavailable-after'
  | 'bad-gateway-after'
  | 'huge';

export const FAULT_KINDS: readonly string[] = [
  ...Object.keys(ANSWERS),
  'slow',
  'slow-after',
  'drop-before',
  'drop-after',
  'unavailable-after',
  'bad-gateway-after',
  'huge',
];

export interface Fault {
  kind: FaultKind;
  method?: string;
  /** Exact path; absent means every API call. */
  path?: string;
  /** Only token requests of this grant type. */
  grantType?: string;
  /** Matching requests still to spoil. */
  times: number;
  /** Of the slow kinds. */
  delayMs: number;
  /** `x-rate-limit-reset` of the 429 kinds: seconds from now. */
  resetSeconds: number;
}

/** Takes the first fault that matches the request, using it up. Control calls are never spoilt. */
export const nextFault = ({ state, method, url, body }: Exchange): Fault | undefined => {
  const fault = state.faults.find(
    (f) =>
      f.times > 0 &&
      (f.method ?? method) === method &&
      (f.path ? f.path === url.pathname : url.pathname.startsWith('/2/')) &&
      (!f.grantType || new URLSearchParams(body).get('grant_type') === f.grantType),
  );
  if (fault) fault.times -= 1;
  return fault;
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** Carries the request out as the fault allows. `null` means: drop the connection. */
export const applyFault = async (fault: Fault, carryOut: () => Promise<Reply>, now: number): Promise<Reply | null> => {
  if (fault.kind === 'drop-before') return null;
  if (fault.kind === 'slow') await wait(fault.delayMs);
  if (fault.kind in ANSWERS) {
    const reply = ANSWERS[fault.kind as keyof typeof ANSWERS]();
    if (reply.status === 429) {
      const reset = Math.ceil(now / 1000) + fault.resetSeconds;
      Object.assign(reply.headers, {
        'x-rate-limit-limit': '100',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': `${reset}`,
      });
    }
    return reply;
  }
  const reply = await carryOut();
  if (fault.kind === 'drop-after') return null;
  if (fault.kind === 'slow-after') await wait(fault.delayMs);
  if (fault.kind === 'unavailable-after') return problems.unavailable();
  if (fault.kind === 'bad-gateway-after') return problems.badGateway();
  if (fault.kind === 'huge') return { ...reply, body: `{"data":"${'x'.repeat(200 * 1024)}"}` };
  return reply;
};

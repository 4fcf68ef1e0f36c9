import type { Exchange, Reply } from './exchange.ts';
import type { Persona } from './personas.ts';
import { forbidden, locked, suspended, unauthorized } from './problems.ts';
import { now } from './state.ts';

/** The person behind the request's access token, or the refusal X would give. */
export const readBearer = (exchange: Exchange, needed: string[]): { user: Persona } | { refusal: Reply } => {
  const { state, headers } = exchange;
  const value = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  const token = state.tokens.find((t) => t.token === value && t.kind === 'access');
  if (!token || token.dead || token.expiresAt <= now(state)) return { refusal: unauthorized() };
  const user = state.personas.find((p) => p.id === token.userId);
  if (!user || user.status === 'deleted') return { refusal: unauthorized() };
  if (user.status === 'suspended') return { refusal: suspended() };
  if (user.status === 'locked') return { refusal: locked() };
  const missing = needed.filter((scope) => !token.scopes.includes(scope));
  if (missing.length > 0) return { refusal: forbidden(`Your token lacks the scope: ${missing.join(', ')}.`) };
  return { user };
};

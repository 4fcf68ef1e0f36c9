import { readBearer } from './bearer.ts';
import { type Exchange, json, type Reply } from './exchange.ts';
import type { Persona } from './personas.ts';
import { invalidRequest } from './problems.ts';
import { charge, limited } from './rate-limits.ts';

const PRICE = 0.01;

const FIELDS: Record<string, (p: Persona, origin: string) => unknown> = {
  id: (p) => p.id,
  name: (p) => p.name,
  username: (p) => p.username,
  created_at: (p) => p.createdAt,
  description: (p) => p.bio,
  profile_image_url: (p, origin) => `${origin}/profile_images/${p.id}_normal.png`,
  protected: (p) => p.protected,
  subscription_type: (p) => p.subscription,
  verified: (p) => p.verified,
  verified_type: (p) => p.verifiedType,
  confirmed_email: (p) => p.email ?? undefined,
};

/** `GET /2/users/me`: id, name and username, and what `user.fields` asks for; anything unknown is refused. */
export const showMe = (exchange: Exchange): Reply | Promise<Reply> => {
  const { url, state } = exchange;
  const bearer = readBearer(exchange, ['users.read', 'tweet.read']);
  if ('refusal' in bearer) return bearer.refusal;
  return limited(exchange, 'GET /2/users/me', bearer.user.id, () => {
    const stranger = [...url.searchParams.keys()].find((key) => key !== 'user.fields');
    if (stranger) return invalidRequest(`The query parameter [${stranger}] is not one of [user.fields]`);
    const asked = (url.searchParams.get('user.fields') ?? '').split(',').filter(Boolean);
    const unknown = asked.find((field) => !(field in FIELDS));
    if (unknown) return invalidRequest(`The user.fields value [${unknown}] is not valid`, { 'user.fields': [unknown] });
    const mayEmail = state.quirks.appMayReadEmail && hasEmailScope(exchange);
    const names = ['id', 'name', 'username', ...asked.filter((f) => f !== 'confirmed_email' || mayEmail)];
    const origin = `http://${exchange.headers.host}`;
    const data = Object.fromEntries(names.map((name) => [name, FIELDS[name]?.(bearer.user, origin)]));
    return charge(exchange, PRICE) ?? json(200, { data });
  });
};

const hasEmailScope = ({ state, headers }: Exchange): boolean => {
  const value = headers.authorization?.slice('Bearer '.length);
  return state.tokens.some((t) => t.token === value && t.scopes.includes('users.email'));
};

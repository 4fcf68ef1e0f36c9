import {
  creditsDepleted,
  duplicate,
  type Exchange,
  forbidden,
  invalidRequest,
  json,
  notFound,
  type Reply,
  rateLimited,
  readJson,
} from './http.ts';
import { readBearer } from './oauth.ts';
import { now, type Persona, type Post, type State } from './state.ts';

const KEYS = new Set([
  'text',
  'media',
  'reply',
  'quote_tweet_id',
  'reply_settings',
  'paid_partnership',
  'made_with_ai',
  'edit_options',
  'nullcast',
]);
/** US dollars. */
const PRICES = { plain: 0.015, withUrl: 0.2, delete: 0.01, me: 0.01 };
export const MAX_WEIGHT = 280;

export const addPost = (state: State, userId: string, text: string, via: Post['via']): Post => {
  const at = now(state);
  const id = String((BigInt(at - 1288834974657) << 22n) + BigInt(state.posts.length % 4096));
  const post: Post = { id, userId, text, createdAt: at, via };
  state.posts.push(post);
  return post;
};

const findFlaw = (body: Record<string, unknown> | undefined): Reply | undefined => {
  if (!body) return invalidRequest('The body is not a JSON object.');
  const stranger = Object.keys(body).find((key) => !KEYS.has(key));
  if (stranger) return invalidRequest(`$.${stranger}: is not defined in the schema and the schema does not allow it`);
  const { text } = body;
  if (typeof text !== 'string' || text.trim() === '') return invalidRequest('Your Tweet text is empty.');
  if (weigh(text) > MAX_WEIGHT) return invalidRequest('Your Tweet text is too long.', { text: [text.slice(0, 40)] });
  if (body.reply || body.quote_tweet_id) return forbidden('Replies and quotes are not available to self-serve apps.');
  if (countCashtags(text) > 1) return forbidden('A Tweet may hold one cashtag at most.');
  return undefined;
};

const isDuplicate = (state: State, userId: string, text: string): boolean => {
  const since = now(state) - state.quirks.duplicateWindowSeconds * 1000;
  return state.posts.some((p) => p.userId === userId && p.text === text && p.createdAt > since);
};

export const createTweet = (exchange: Exchange): Reply | Promise<Reply> => {
  const bearer = readBearer(exchange, ['tweet.write', 'users.read', 'tweet.read']);
  if ('refusal' in bearer) return bearer.refusal;
  return limited(exchange, 'POST /2/tweets', bearer.user.id, () => {
    const body = readJson(exchange);
    const flaw = findFlaw(body);
    if (flaw) return flaw;
    const text = body?.text as string;
    if (isDuplicate(exchange.state, bearer.user.id, text)) return duplicate();
    const unpaid = charge(exchange, findUrls(text).length > 0 ? PRICES.withUrl : PRICES.plain);
    if (unpaid) return unpaid;
    const { id } = addPost(exchange.state, bearer.user.id, text, 'api');
    return json(201, { data: { id, text, edit_history_tweet_ids: [id] } });
  });
};

const findOwn = ({ state, params }: Exchange, userId: string): Post | undefined =>
  state.posts.find((p) => p.id === params.id && p.userId === userId);

export const showTweet = (exchange: Exchange): Reply | Promise<Reply> => {
  const bearer = readBearer(exchange, ['users.read', 'tweet.read']);
  if ('refusal' in bearer) return bearer.refusal;
  return limited(exchange, 'GET /2/tweets/:id', bearer.user.id, () => {
    const post = findOwn(exchange, bearer.user.id);
    return post ? json(200, { data: { id: post.id, text: post.text } }) : notFound(exchange.params.id ?? '');
  });
};

export const deleteTweet = (exchange: Exchange): Reply | Promise<Reply> => {
  const bearer = readBearer(exchange, ['tweet.write', 'users.read', 'tweet.read']);
  if ('refusal' in bearer) return bearer.refusal;
  return limited(exchange, 'DELETE /2/tweets/:id', bearer.user.id, () => {
    const { state, params } = exchange;
    const post = findOwn(exchange, bearer.user.id);
    if (!post && state.posts.some((p) => p.id === params.id)) return forbidden();
    const unpaid = post && charge(exchange, PRICES.delete);
    if (unpaid) return unpaid;
    state.posts = state.posts.filter((p) => p !== post);
    return json(200, { data: { deleted: post !== undefined } });
  });
};

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

/** `GET /2/users/me`: id, name, username and the requested `user.fields`. Refuses unknown parameters and fields. */
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
    return charge(exchange, PRICES.me) ?? json(200, { data });
  });
};

const hasEmailScope = ({ state, headers }: Exchange): boolean => {
  const value = headers.authorization?.slice('Bearer '.length);
  return state.tokens.some((t) => t.token === value && t.scopes.includes('users.email'));
};

const WINDOW_MS = 15 * 60_000;
const DAY_MS = 24 * 3600_000;

/** Calls per user and 15 minutes, and per app and day, as X documents them (August 2026). */
const X_LIMITS: Readonly<Record<string, number>> = {
  'GET /2/users/me': 75,
  'POST /2/tweets': 100,
  'DELETE /2/tweets/:id': 50,
  'GET /2/tweets/:id': 900,
  'app POST /2/tweets': 10_000,
};

const count = ({ state }: Exchange, key: string, span: number) => {
  const at = now(state);
  const [end = 0, calls = 0] = state.windows[key] ?? [];
  const window: [number, number] = end > at ? [end, calls + 1] : [at + span, 1];
  state.windows[key] = window;
  return window;
};

const limited = async (
  exchange: Exchange,
  name: string,
  userId: string,
  run: () => Reply | Promise<Reply>,
): Promise<Reply> => {
  const allowed = (key: string) => exchange.state.limits[key] ?? X_LIMITS[key] ?? Number.POSITIVE_INFINITY;
  const [end, calls] = count(exchange, `${name} ${userId}`, WINDOW_MS);
  const [dayEnd, dayCalls] = count(exchange, `app ${name}`, DAY_MS);
  const overDay = dayCalls > allowed(`app ${name}`);
  const reply = calls > allowed(name) || overDay ? rateLimited() : await run();
  const limit = allowed(name);
  reply.headers['x-rate-limit-limit'] = String(limit);
  reply.headers['x-rate-limit-remaining'] = String(overDay ? 0 : Math.max(0, limit - calls));
  reply.headers['x-rate-limit-reset'] = String(Math.ceil((overDay ? dayEnd : end) / 1000));
  return reply;
};

/** Deducts the price in US dollars from the credits. Returns X's 402 response when they are used up. */
const charge = ({ state }: Exchange, dollars: number): Reply | undefined => {
  if (state.credits !== null && state.credits < dollars) return creditsDepleted();
  if (state.credits !== null) state.credits -= dollars;
  state.spend += dollars;
  return undefined;
};

const URLS = /https?:\/\/[^\s]+|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|co|shop|app|dev|info|uk|de|eu)\b(?:\/[^\s]*)?/giu;
const LIGHT: readonly [number, number][] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export const findUrls = (text: string): string[] => text.match(URLS) ?? [];

/**
 * X's weighted length: NFC, a link 23, an emoji 2, Latin and other light scripts 1, everything else 2. Unlike in X,
 * links to localhost also count as links, so that development behaves like production.
 */
export const weigh = (text: string): number => {
  const rest = text.normalize('NFC').replace(URLS, '');
  let weight = findUrls(text).length * 23;
  for (const { segment } of graphemes.segment(rest)) {
    weight += /^\p{RGI_Emoji}$/v.test(segment) ? 2 : [...segment].reduce((sum, c) => sum + weighCharacter(c), 0);
  }
  return weight;
};

const weighCharacter = (character: string): number => {
  const point = character.codePointAt(0) ?? 0;
  return LIGHT.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
};

export const countCashtags = (text: string): number => text.match(/(?<![\w$])\$[a-z]{1,6}\b/giu)?.length ?? 0;

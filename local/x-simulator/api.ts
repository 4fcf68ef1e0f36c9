import { type Exchange, forbid, type Handler, Refusal, readJson, refuse, rejectRequest, setRateLimit } from './http.ts';
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

const readText = (exchange: Exchange): string => {
  const body = readJson(exchange);
  if (!body || typeof body !== 'object' || Array.isArray(body)) throw rejectRequest('The body is not a JSON object.');
  const stranger = Object.keys(body).find((key) => !KEYS.has(key));
  if (stranger) throw rejectRequest(`$.${stranger}: is not defined in the schema and the schema does not allow it`);
  const { text, reply, quote_tweet_id } = body as Record<string, unknown>;
  if (typeof text !== 'string' || text.trim() === '') throw rejectRequest('Your Tweet text is empty.');
  if (weigh(text) > MAX_WEIGHT) throw rejectRequest('Your Tweet text is too long.', { text: [text.slice(0, 40)] });
  if (reply || quote_tweet_id) throw forbid('Replies and quotes are not available to self-serve apps.');
  if (countCashtags(text) > 1) throw forbid('A Tweet may hold one cashtag at most.');
  return text;
};

const READ = ['users.read', 'tweet.read'];
const WRITE = ['tweet.write', ...READ];
const DAY_MS = 24 * 3600_000;

const isDuplicate = (state: State, userId: string, text: string): boolean =>
  state.posts.some((p) => p.userId === userId && p.text === text && p.createdAt > now(state) - DAY_MS);

export const createTweet = limited('POST /2/tweets', WRITE, (exchange, { id: userId }) => {
  const { state } = exchange;
  const text = readText(exchange);
  if (isDuplicate(state, userId, text)) throw refuse('duplicate');
  charge(state, findUrls(text).length > 0 ? PRICES.withUrl : PRICES.plain);
  const { id } = addPost(state, userId, text, 'api');
  exchange.status = 201;
  return { data: { id, text, edit_history_tweet_ids: [id] } };
});

export const showTweet = limited('GET /2/tweets/:id', READ, ({ state, params }, user) => {
  const post = state.posts.find((p) => p.id === params.id && p.userId === user.id);
  if (post) return { data: { id: post.id, text: post.text } };
  const detail = `Could not find tweet with id: [${params.id}].`;
  const errors = [{ title: 'Not Found Error', detail, resource_id: params.id }];
  throw new Refusal({ status: 404, body: { errors } });
});

export const deleteTweet = limited('DELETE /2/tweets/:id', WRITE, ({ state, params }, user) => {
  const post = state.posts.find((p) => p.id === params.id);
  if (!post) return { data: { deleted: false } };
  if (post.userId !== user.id) throw refuse('forbidden');
  charge(state, PRICES.delete);
  state.posts = state.posts.filter((p) => p !== post);
  return { data: { deleted: true } };
});

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
export const showMe = limited('GET /2/users/me', READ, ({ state, query, URL: { origin } }, user, scopes) => {
  const stranger = Object.keys(query).find((key) => key !== 'user.fields');
  if (stranger) throw rejectRequest(`The query parameter [${stranger}] is not one of [user.fields]`);
  const asked = String(query['user.fields'] ?? '')
    .split(',')
    .filter(Boolean);
  const unknown = asked.find((field) => !(field in FIELDS));
  if (unknown) throw rejectRequest(`The user.fields value [${unknown}] is not valid`, { 'user.fields': [unknown] });
  const mayEmail = scopes.includes('users.email');
  const names = ['id', 'name', 'username', ...asked.filter((f) => f !== 'confirmed_email' || mayEmail)];
  charge(state, PRICES.me);
  return { data: Object.fromEntries(names.map((name) => [name, FIELDS[name]?.(user, origin)])) };
});

const WINDOW_MS = 15 * 60_000;

/** Calls per user and 15 minutes, and per app and day, as X documents them (August 2026). */
const X_LIMITS: Readonly<Record<string, number>> = {
  'GET /2/users/me': 75,
  'POST /2/tweets': 100,
  'DELETE /2/tweets/:id': 50,
  'GET /2/tweets/:id': 900,
  'app POST /2/tweets': 10_000,
};

/** Counts a call. `reset` is the end of the window in milliseconds. */
const count = (state: State, key: string, limitKey: string, span: number) => {
  const at = now(state);
  const [end = 0, calls = 0] = state.windows[key] ?? [];
  const [reset, used] = end > at ? [end, calls + 1] : [at + span, 1];
  state.windows[key] = [reset, used];
  const limit = state.limits[limitKey] ?? X_LIMITS[limitKey] ?? Number.POSITIVE_INFINITY;
  return { reset, limit, left: limit - used };
};

/** A call of the API for a signed-in user, within X's rate limits. */
function limited(
  name: string,
  scopes: string[],
  run: (exchange: Exchange, user: Persona, scopes: string[]) => unknown,
): Handler {
  return (exchange) => {
    const bearer = readBearer(exchange, scopes);
    const { limit, left, reset } = count(exchange.state, `${name} ${bearer.user.id}`, name, WINDOW_MS);
    const day = count(exchange.state, `app ${name}`, `app ${name}`, DAY_MS);
    const isOverDay = day.left < 0;
    setRateLimit(exchange, limit, isOverDay ? 0 : Math.max(0, left), Math.ceil((isOverDay ? day.reset : reset) / 1000));
    if (left < 0 || isOverDay) throw refuse('rate-limited');
    return run(exchange, bearer.user, bearer.scopes);
  };
}

const charge = (state: State, dollars: number): void => {
  if (state.credits !== null && state.credits < dollars) throw refuse('credits-depleted');
  if (state.credits !== null) state.credits -= dollars;
  state.spend += dollars;
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

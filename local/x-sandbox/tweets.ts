import { readBearer } from './bearer.ts';
import { type Exchange, json, type Reply, readJson } from './exchange.ts';
import { duplicate, forbidden, invalidRequest, notFound } from './problems.ts';
import { charge, limited } from './rate-limits.ts';
import { now, type Post, type State } from './state.ts';
import { countCashtags, findUrls, weigh } from './tweet-text.ts';

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
const PRICES = { plain: 0.015, withUrl: 0.2, delete: 0.01 };
const MAX_WEIGHT = 280;

/** Stores a post; ids grow as X's snowflakes do. */
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

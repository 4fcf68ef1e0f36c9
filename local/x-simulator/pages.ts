import { addPost, findUrls, MAX_WEIGHT, weigh } from './api.ts';
import { avatar, currentUser, type Html, html, page, pickPage, toDisplayName } from './html.ts';
import { APP_NAME, type Exchange, readForm } from './http.ts';
import { disconnectApp, SCOPES } from './oauth.ts';
import { now, type Persona, type Post } from './state.ts';

export const showConnectedApps = (exchange: Exchange): string => {
  const { state } = exchange;
  const user = currentUser(exchange);
  if (!user) return pickPage(exchange, 'Whose connected apps?', '/settings/connected_apps');
  const living = state.tokens.filter((t) => t.userId === user.id && !t.dead && t.expiresAt > now(state));
  const scopes = [...new Set(living.flatMap((t) => t.scopes))];
  const app = html`<h2>${APP_NAME}</h2><ul class="scopes">${scopes.map((scope) => html`<li>${SCOPES[scope]}</li>`)}</ul>
<form method="post"><button class="quiet">Revoke app permissions</button></form>`;
  const content = scopes.length > 0 ? app : html`<p>No app has access.</p>`;
  return page(exchange, 'Connected apps', html`<div class="panel"><h1>Connected apps</h1>${content}</div>`);
};

export const revokeConnectedApp = (exchange: Exchange): void => {
  const user = currentUser(exchange);
  if (user) disconnectApp(exchange.state, user.id);
  exchange.redirect('/settings/connected_apps');
};

export const showComposer = (exchange: Exchange): string => {
  const get = (name: string) => exchange.URL.searchParams.get(name)?.trim() ?? '';
  return composerPage(exchange, [get('text'), get('url')].filter(Boolean).join('\n'), exchange.url);
};

const composerPage = (exchange: Exchange, text: string, next: string, error?: string): string => {
  const user = currentUser(exchange);
  if (!user) return pickPage(exchange, 'Who posts?', next);
  if (error) exchange.status = 400;
  return page(
    exchange,
    'New post',
    html`<form class="panel" method="post" action="/intent/tweet"><h1>New post</h1>
<div class="row">${avatar(user, 44)}<div class="grow">${toDisplayName(user)}<div class="soft">@${user.username}</div></div></div>
<p><label for="text">Text</label><textarea id="text" name="text" rows="6" dir="auto" required>${text}</textarea></p>
${error ? html`<p class="bad" role="alert">${error}</p>` : html`<p class="soft">${weigh(text)} of ${MAX_WEIGHT}</p>`}
<button>Post</button></form>`,
  );
};

export const submitComposer = (exchange: Exchange): string | undefined => {
  const user = currentUser(exchange);
  const text = (readForm(exchange)?.get('text') ?? '').replaceAll('\r\n', '\n').trim();
  if (!user) return pickPage(exchange, 'Who posts?', '/');
  if (user.status !== 'active') return composerPage(exchange, text, '/', `Your account is ${user.status}.`);
  if (!text || weigh(text) > MAX_WEIGHT) return composerPage(exchange, text, '/', 'A post has 1 to 280 characters.');
  const post = addPost(exchange.state, user.id, text, 'composer');
  exchange.redirect(`/${user.username}/status/${post.id}`);
};

const SHOWN = 30;

export const showTimeline = async (exchange: Exchange): Promise<string> => {
  const posts = exchange.state.posts.toReversed().slice(0, SHOWN);
  return page(exchange, 'Timeline', html`<h1>Timeline</h1>${await renderPosts(exchange, posts)}`);
};

export const showProfile = async (exchange: Exchange): Promise<string> => {
  const { state, params } = exchange;
  const who = state.personas.find((p) => p.username.toLowerCase() === params.username?.toLowerCase());
  if (!who || who.status === 'deleted') return notHere(exchange, 'This account doesn’t exist');
  const posts = state.posts.filter((p) => p.userId === who.id).toReversed();
  const hidden = who.status === 'suspended' ? 'Account suspended' : who.protected ? 'These posts are protected' : null;
  const head = html`<div class="panel row">${avatar(who, 72)}<div class="grow"><h1>${toDisplayName(who)}</h1>
<div class="soft">@${who.username} · joined ${who.createdAt.slice(0, 10)}</div><bdi>${who.bio}</bdi></div></div>`;
  const body = hidden ? html`<p class="panel">${hidden}</p>` : await renderPosts(exchange, posts.slice(0, SHOWN));
  return page(exchange, `@${who.username}`, html`${head}${body}`);
};

/** `/:username/status/:id`: one post. As on X, the username does not have to match. */
export const showPost = async (exchange: Exchange): Promise<string> => {
  const post = exchange.state.posts.find((p) => p.id === exchange.params.id);
  if (!post) return notHere(exchange, 'This post doesn’t exist');
  return page(exchange, 'Post', html`<h1>Post</h1>${await renderPosts(exchange, [post])}`);
};

const notHere = (exchange: Exchange, message: string): string => {
  exchange.status = 404;
  return page(exchange, message, html`<div class="panel"><h1>${message}</h1></div>`);
};

const renderPosts = async ({ state }: Exchange, posts: Post[]): Promise<Html[]> => {
  if (posts.length === 0) return [html`<p class="panel soft">No posts yet.</p>`];
  const people = new Map(state.personas.map((p) => [p.id, p]));
  return Promise.all(posts.map(async (post) => renderPost(post, people.get(post.userId), await cardOf(post))));
};

const cardOf = async (post: Post): Promise<Card | undefined> => {
  const link = findUrls(post.text).findLast((url) => /^https?:/.test(url));
  return link ? fetchCard(link) : undefined;
};

const renderPost = (post: Post, author: Persona | undefined, card: Card | undefined): Html => {
  if (!author) return html``;
  const at = new Date(post.createdAt).toISOString();
  return html`<article class="panel post"><div class="row">${avatar(author, 44)}<div class="grow">
${toDisplayName(author)} <span class="soft">@${author.username} · <a href="/${author.username}/status/${post.id}"><time datetime="${at}">${at.slice(0, 16).replace('T', ' ')}</time></a></span>
<p dir="auto">${linkify(post.text)}</p>${card && renderCard(card)}</div></div></article>`;
};

const linkify = (text: string): Html[] =>
  text.split(/(https?:\/\/\S+)/).map((part, i) => (i % 2 ? html`<a href="${part}">${part}</a>` : html`${part}`));

const renderCard = (card: Card): Html =>
  html`${
    card.title &&
    html`<a class="link-card" href="${card.url}">${card.image && html`<img src="${card.image}" alt="${card.imageAlt ?? ''}">`}
<div><div class="soft">${new URL(card.url).host}</div><div dir="auto"><strong>${card.title}</strong></div><div class="soft" dir="auto">${card.description}</div></div></a>`
  }${card.errors.length > 0 && html`<ul class="bad">${card.errors.map((error) => html`<li>Card: ${error}</li>`)}</ul>`}`;

const AGENT = 'Twitterbot/1.0';
const TIMEOUT_MS = 5000;
const MAX_IMAGE = 5 * 1024 * 1024;
const MAX_PAGE = 1024 * 1024;
const IMAGE_TYPES = /^image\/(jpeg|png|webp|gif)\b/;

/** A link preview as X would show it, with all problems that would break it. */
export interface Card {
  url: string;
  type: string | null;
  title: string | null;
  description: string | null;
  image: string | null;
  imageAlt: string | null;
  errors: string[];
}

export const fetchCard = async (url: string): Promise<Card> => {
  const card: Card = { url, type: null, title: null, description: null, image: null, imageAlt: null, errors: [] };
  try {
    if (!(await isAllowed(new URL(url)))) return { ...card, errors: ['robots.txt keeps Twitterbot out'] };
    const response = await crawl(url);
    if (!response.ok) return { ...card, errors: [`the page answers ${response.status}`] };
    if (!response.headers.get('content-type')?.startsWith('text/html'))
      return { ...card, errors: ['not an HTML page'] };
    const tags = readTags((await response.text()).slice(0, MAX_PAGE));
    fill(card, tags);
    if (card.image) card.errors.push(...(await checkImage(card.image)));
  } catch (error) {
    card.errors.push(`could not be fetched: ${(error as Error).message}`);
  }
  return card;
};

const crawl = (url: string) =>
  fetch(url, { headers: { 'user-agent': AGENT }, signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'follow' });

const isAllowed = async (url: URL): Promise<boolean> => {
  const robots = await crawl(new URL('/robots.txt', url).href);
  const isText = robots.ok && !robots.headers.get('content-type')?.includes('html');
  return !isText || mayCrawl(await robots.text(), 'Twitterbot', url.pathname + url.search);
};

const readTags = (page: string): Map<string, string> => {
  const tags = new Map<string, string>();
  for (const [tag] of page.matchAll(/<meta\s[^>]*>/gi)) {
    const name = /\b(?:name|property)\s*=\s*(["'])(.*?)\1/i.exec(tag)?.[2];
    const content = /\bcontent\s*=\s*(["'])(.*?)\1/is.exec(tag)?.[2];
    if (name && content !== undefined) tags.set(name.toLowerCase(), decode(content));
  }
  return tags;
};

const decode = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const fill = (card: Card, tags: Map<string, string>): void => {
  const read = (name: string) => tags.get(`twitter:${name}`) || tags.get(`og:${name}`) || null;
  card.type = tags.get('twitter:card') ?? null;
  card.title = read('title');
  card.description = read('description');
  card.image = read('image');
  card.imageAlt = read('image:alt');
  if (!card.type) card.errors.push('no twitter:card tag');
  if (!card.title) card.errors.push('no title tag');
  if (!card.image) card.errors.push('no image tag');
};

const checkImage = async (image: string): Promise<string[]> => {
  if (!URL.canParse(image) || !/^https?:/.test(image)) return ['the image is no absolute http(s) address'];
  const url = new URL(image);
  if (!(await isAllowed(url))) return ['robots.txt keeps Twitterbot from the image'];
  const response = await crawl(image);
  if (!response.ok) return [`the image answers ${response.status}`];
  const type = response.headers.get('content-type') ?? '';
  if (!IMAGE_TYPES.test(type)) return [`the image is ${type || 'of no type'}, not JPEG, PNG, WebP or GIF`];
  const { byteLength } = await response.arrayBuffer();
  return byteLength < MAX_IMAGE ? [] : ['the image is 5 MB or larger'];
};

/**
 * Whether robots.txt allows this crawler to read the path. Applies the crawler's own group, or else the "*" group; the
 * longest rule wins.
 */
export const mayCrawl = (robots: string, agent: string, path: string): boolean => {
  const groups = readGroups(robots);
  const rules = groups.get(agent.toLowerCase()) ?? groups.get('*') ?? [];
  const longest = rules
    .filter(({ prefix }) => prefix !== '' && matches(prefix, path))
    .sort((a, b) => b.prefix.length - a.prefix.length || Number(b.allow) - Number(a.allow))[0];
  return longest?.allow ?? true;
};

interface Rule {
  allow: boolean;
  prefix: string;
}

const readGroups = (robots: string): Map<string, Rule[]> => {
  const groups = new Map<string, Rule[]>();
  let agents: string[] = [];
  let inRules = false;
  for (const line of robots.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const name = field.toLowerCase();
    if (name === 'user-agent') {
      agents = inRules ? [value.trim().toLowerCase()] : [...agents, value.trim().toLowerCase()];
      inRules = false;
    } else if (name === 'allow' || name === 'disallow') {
      inRules = true;
      const rule = { allow: name === 'allow', prefix: value.trim() };
      for (const agent of agents) groups.set(agent, [...(groups.get(agent) ?? []), rule]);
    }
  }
  return groups;
};

const matches = (prefix: string, path: string): boolean => {
  const pattern = prefix.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern.replace(/\\\$$/, '$')}`).test(path);
};

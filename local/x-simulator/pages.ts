import { addPost, findUrls, MAX_WEIGHT, weigh } from './api.ts';
import { type Card, fetchCard } from './cards.ts';
import { avatar, currentUser, type Html, html, page, pickPage, toDisplayName } from './html.ts';
import { type Exchange, type Reply, readForm, redirect } from './http.ts';
import { disconnectApp, SCOPES } from './oauth.ts';
import { now, type Persona, type Post } from './state.ts';

export const showConnectedApps = (exchange: Exchange): Reply => {
  const { state, settings } = exchange;
  const user = currentUser(exchange);
  if (!user) return pickPage(exchange, 'Whose connected apps?', '/settings/connected_apps');
  const living = state.tokens.filter((t) => t.userId === user.id && !t.dead && t.expiresAt > now(state));
  const scopes = [...new Set(living.flatMap((t) => t.scopes))];
  const app = html`<h2>${settings.appName}</h2><ul class="scopes">${scopes.map((scope) => html`<li>${SCOPES[scope]}</li>`)}</ul>
<form method="post"><button class="quiet">Revoke app permissions</button></form>`;
  return page(
    'Connected apps',
    html`<div class="panel"><h1>Connected apps</h1>${scopes.length > 0 ? app : html`<p>No app has access.</p>`}</div>`,
    { user },
  );
};

export const revokeConnectedApp = (exchange: Exchange): Reply => {
  const user = currentUser(exchange);
  if (user) disconnectApp(exchange.state, user.id);
  return redirect('/settings/connected_apps');
};

export const showComposer = (exchange: Exchange): Reply => {
  const { url } = exchange;
  const user = currentUser(exchange);
  if (!user) return pickPage(exchange, 'Who posts?', url.pathname + url.search);
  const get = (name: string) => url.searchParams.get(name)?.trim() ?? '';
  return composerPage(exchange, [get('text'), get('url')].filter(Boolean).join('\n'));
};

const composerPage = (exchange: Exchange, text: string, error?: string): Reply => {
  const user = currentUser(exchange);
  if (!user) return pickPage(exchange, 'Who posts?', '/');
  return page(
    'New post',
    html`<form class="panel" method="post" action="/intent/tweet"><h1>New post</h1>
<div class="row">${avatar(user, 44)}<div class="grow">${toDisplayName(user)}<div class="soft">@${user.username}</div></div></div>
<p><label for="text">Text</label><textarea id="text" name="text" rows="6" dir="auto" required>${text}</textarea></p>
${error ? html`<p class="bad" role="alert">${error}</p>` : html`<p class="soft">${weigh(text)} of ${MAX_WEIGHT}</p>`}
<button>Post</button></form>`,
    { user, status: error ? 400 : 200 },
  );
};

export const submitComposer = (exchange: Exchange): Reply => {
  const user = currentUser(exchange);
  const text = (readForm(exchange)?.get('text') ?? '').replaceAll('\r\n', '\n').trim();
  if (!user) return pickPage(exchange, 'Who posts?', '/');
  if (user.status !== 'active') return composerPage(exchange, text, `Your account is ${user.status}.`);
  if (!text || weigh(text) > MAX_WEIGHT) return composerPage(exchange, text, 'A post has 1 to 280 characters.');
  const post = addPost(exchange.state, user.id, text, 'composer');
  return redirect(`/${user.username}/status/${post.id}`);
};

/** `/intent/follow` and `/settings/account`: pages of X that our app links to. */
export const showFollow = (exchange: Exchange): Reply => {
  const handle = exchange.url.searchParams.get('screen_name') ?? '';
  return page(
    'Follow',
    html`<div class="panel"><h1>Follow @${handle}</h1><p>On X, a button here follows the account.</p></div>`,
    { user: currentUser(exchange) },
  );
};

export const showAccountSettings = (exchange: Exchange): Reply =>
  page(
    'Your account',
    html`<div class="panel"><h1>Your account</h1><p>On X, account settings are here.</p>
<p><a href="/settings/connected_apps">Connected apps</a></p></div>`,
    { user: currentUser(exchange) },
  );

const SHOWN = 30;

export const showTimeline = async (exchange: Exchange): Promise<Reply> => {
  const posts = exchange.state.posts.toReversed().slice(0, SHOWN);
  return page('Timeline', html`<h1>Timeline</h1>${await renderPosts(exchange, posts)}`, {
    user: currentUser(exchange),
  });
};

export const showProfile = async (exchange: Exchange): Promise<Reply> => {
  const { state, params } = exchange;
  const who = state.personas.find((p) => p.username.toLowerCase() === params.username?.toLowerCase());
  if (!who || who.status === 'deleted') return notHere(exchange, 'This account doesn’t exist');
  const posts = state.posts.filter((p) => p.userId === who.id).toReversed();
  const hidden = who.status === 'suspended' ? 'Account suspended' : who.protected ? 'These posts are protected' : null;
  const head = html`<div class="panel row">${avatar(who, 72)}<div class="grow"><h1>${toDisplayName(who)}</h1>
<div class="soft">@${who.username} · joined ${who.createdAt.slice(0, 10)}</div><bdi>${who.bio}</bdi></div></div>`;
  const body = hidden ? html`<p class="panel">${hidden}</p>` : await renderPosts(exchange, posts.slice(0, SHOWN));
  return page(`@${who.username}`, html`${head}${body}`, { user: currentUser(exchange) });
};

/** `/:username/status/:id`: one post. As on X, the username does not have to match. */
export const showPost = async (exchange: Exchange): Promise<Reply> => {
  const post = exchange.state.posts.find((p) => p.id === exchange.params.id);
  if (!post) return notHere(exchange, 'This post doesn’t exist');
  return page('Post', html`<h1>Post</h1>${await renderPosts(exchange, [post])}`, { user: currentUser(exchange) });
};

const notHere = (exchange: Exchange, message: string): Reply =>
  page(message, html`<div class="panel"><h1>${message}</h1></div>`, { status: 404, user: currentUser(exchange) });

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

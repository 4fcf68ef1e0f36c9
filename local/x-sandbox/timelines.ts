import { type Card, fetchCard } from './cards.ts';
import type { Exchange, Reply } from './exchange.ts';
import { avatar, type Html, html, nameOf, page } from './page.ts';
import type { Persona } from './personas.ts';
import type { Post } from './state.ts';
import { findUrls } from './tweet-text.ts';
import { currentUser } from './who.ts';

const SHOWN = 30;

/** `/`: everybody's posts, newest first. */
export const showTimeline = async (exchange: Exchange): Promise<Reply> => {
  const posts = exchange.state.posts.toReversed().slice(0, SHOWN);
  return page('Timeline', html`<h1>Timeline</h1>${await renderPosts(exchange, posts)}`, {
    user: currentUser(exchange),
  });
};

/** `/:username`: one person's. */
export const showProfile = async (exchange: Exchange): Promise<Reply> => {
  const { state, params } = exchange;
  const who = state.personas.find((p) => p.username.toLowerCase() === params.username?.toLowerCase());
  if (!who || who.status === 'deleted') return notHere(exchange, 'This account doesn’t exist');
  const posts = state.posts.filter((p) => p.userId === who.id).toReversed();
  const hidden = who.status === 'suspended' ? 'Account suspended' : who.protected ? 'These posts are protected' : null;
  const head = html`<div class="panel row">${avatar(who, 72)}<div class="grow"><h1>${nameOf(who)}</h1>
<div class="soft">@${who.username} · joined ${who.createdAt.slice(0, 10)}</div><bdi>${who.bio}</bdi></div></div>`;
  const body = hidden ? html`<p class="panel">${hidden}</p>` : await renderPosts(exchange, posts.slice(0, SHOWN));
  return page(`@${who.username}`, html`${head}${body}`, { user: currentUser(exchange) });
};

/** `/:username/status/:id`: one post, whatever the handle in its address. */
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
${nameOf(author)} <span class="soft">@${author.username} · <a href="/${author.username}/status/${post.id}"><time datetime="${at}">${at.slice(0, 16).replace('T', ' ')}</time></a></span>
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

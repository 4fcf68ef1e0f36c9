import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { addPost, findUrls, weigh } from './api.ts';
import { type Card, fetchCard } from './cards.ts';
import { type Exchange, type Reply, readForm, redirect } from './http.ts';
import { disconnectApp, SCOPES } from './oauth.ts';
import { now, type Persona, type Post } from './state.ts';

/** Markup that is safe to put into a page as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeText = (text: string) => text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
type Value = Html | string | number | null | undefined | false | readonly Value[];

const render = (value: Value): string => {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return value === null || value === undefined || value === false ? '' : escapeText(String(value));
};

/** Template tag: everything put in is escaped, except markup made by this tag. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.reduce((text, part, i) => text + render(values[i - 1]) + part));

export const page = (title: string, content: Html, options: { status?: number; user?: Persona | undefined } = {}) => {
  const { status = 200, user } = options;
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${title} · X SANDBOX</title><style>${new Html(STYLE)}</style>
</head>
<body>
<p class="banner" role="note"><strong>X SANDBOX — not X.</strong> Nothing here leaves this machine.</p>
<header><nav aria-label="Sandbox"><a href="/">Timeline</a><a href="/settings/connected_apps">Connected apps</a>
${user && html`<a class="me" href="/${user.username}">${avatar(user, 24)} @${user.username}</a>`}</nav></header>
<main>${content}</main>
</body>
</html>`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // No form-action: the consent form's answer redirects to the app, which it would forbid.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; frame-ancestors 'none'; base-uri 'none'",
    },
    body: body.text,
  } satisfies Reply;
};

export const avatar = ({ id }: Persona, size: number): Html =>
  html`<img class="avatar" src="/profile_images/${id}_400x400.png" alt="" width="${size}" height="${size}">`;

const CHECKS: Record<string, string> = { blue: 'Verified', business: 'Business', government: 'Government' };

export const toDisplayName = (p: Persona): Html => {
  const kind = p.verifiedType === 'none' && p.verified ? 'blue' : p.verifiedType;
  const check = CHECKS[kind];
  return html`<span class="name"><bdi>${p.name}</bdi>${check && html` <span class="check ${kind}" role="img" aria-label="${check}" title="${check}">✓</span>`}</span>`;
};

/** One sheet for all of the sandbox's pages; colours are its own, not X's. */
export const STYLE = `
:root { --bg:#f6f5f2; --card:#fff; --text:#1d1c1a; --soft:#65625c; --line:#dedad2; --accent:#7a3ff2; --on-accent:#fff; --bad:#b3261e; --warn:#fff3c9; --warn-text:#4d3d00 }
@media (prefers-color-scheme: dark) { :root { --bg:#141316; --card:#1e1d21; --text:#eeebf2; --soft:#a6a1ad; --line:#37343d; --accent:#b79bff; --on-accent:#1b1030; --bad:#ff8a80; --warn:#3c3210; --warn-text:#ffe89a } }
* { box-sizing:border-box } body { margin:0; background:var(--bg); color:var(--text); font:16px/1.5 system-ui,sans-serif }
.banner { margin:0; padding:.5rem 1rem; text-align:center; background:var(--warn); color:var(--warn-text); font-size:.875rem }
header { border-bottom:1px solid var(--line); background:var(--card) } nav { display:flex; gap:1.25rem; align-items:center; max-width:38rem; margin:auto; padding:.6rem 1rem; flex-wrap:wrap }
nav .me { margin-inline-start:auto; display:flex; gap:.5rem; align-items:center } a { color:var(--accent) } nav a { text-decoration:none; font-weight:600 }
main { max-width:38rem; margin:1.5rem auto; padding:0 1rem } h1 { font-size:1.4rem; line-height:1.25; margin:0 0 .75rem } h2 { font-size:1.05rem; margin:1.25rem 0 .5rem }
.panel { background:var(--card); border:1px solid var(--line); border-radius:14px; padding:1.25rem; margin-bottom:1rem } .soft { color:var(--soft) } .bad { color:var(--bad) }
.avatar { border-radius:50%; display:block; flex:none } .name { font-weight:650; overflow-wrap:anywhere } .check { display:inline-grid; place-items:center; inline-size:1.1em; block-size:1.1em; border-radius:50%; font-size:.75em; color:#fff; background:#2f6fed }
.check.business { background:#a06b00 } .check.government { background:#6b6f76 }
button,.button { font:inherit; font-weight:650; border:1px solid transparent; border-radius:999px; padding:.6rem 1.2rem; cursor:pointer; background:var(--accent); color:var(--on-accent) }
button.quiet { background:none; color:inherit; border-color:var(--line) } button.full { inline-size:100% } :focus-visible { outline:3px solid var(--accent); outline-offset:2px }
.people { list-style:none; margin:0; padding:0; display:grid; gap:.5rem } .people button { inline-size:100%; display:flex; gap:.75rem; align-items:center; text-align:start; border-radius:12px; padding:.6rem .8rem; background:none; color:inherit; border-color:var(--line); font-weight:400 } .people button:hover { border-color:var(--accent) }
.row { display:flex; gap:.75rem; align-items:flex-start } .grow { flex:1; min-inline-size:0 } .actions { display:grid; gap:.6rem; margin-top:1.25rem } ul.scopes { padding-inline-start:1.2rem }
.post p { margin:.25rem 0; white-space:pre-wrap; overflow-wrap:anywhere } .link-card { display:block; border:1px solid var(--line); border-radius:12px; overflow:hidden; margin-top:.6rem; color:inherit; text-decoration:none } .link-card img { inline-size:100%; aspect-ratio:2/1; object-fit:cover; display:block } .link-card div { padding:.6rem .8rem } .link-card .soft { font-size:.875rem }
textarea { inline-size:100%; font:inherit; padding:.75rem; border-radius:12px; border:1px solid var(--line); background:var(--bg); color:inherit; resize:vertical }
`;

const SIZES: Record<string, number> = { _normal: 48, _bigger: 73, _400x400: 400, '': 400 };

/** `/profile_images/{id}_{size}.png`: a figure on a background, coloured after the id. */
export const showAvatar = ({ params }: Exchange): Reply => {
  const [, id = '', size = ''] = /^(\d+)(_normal|_bigger|_400x400)?\.(?:png|jpg)$/.exec(params.file ?? '') ?? [];
  if (!id) return { status: 404, headers: {}, body: '' };
  const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' };
  return { status: 200, headers, body: drawAvatar(id, SIZES[size] ?? 400) };
};

const drawAvatar = (id: string, size: number): Buffer => {
  const hue = createHash('sha256').update(id).digest().readUInt16BE() % 360;
  const [back, figure] = [fromHue(hue, 0.42), fromHue((hue + 25) % 360, 0.88)];
  const rows = Buffer.alloc(size * (size * 3 + 1));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const cover = coverage(x / size, y / size, 1 / size);
      const at = y * (size * 3 + 1) + 1 + x * 3;
      for (let c = 0; c < 3; c++) {
        const shade = (back[c] ?? 0) * (1 - y / size / 4);
        rows[at + c] = Math.round(255 * (shade + ((figure[c] ?? 0) - shade) * cover));
      }
    }
  }
  return encodePng(size, rows);
};

/** How much of the pixel is head or shoulders, with soft edges. */
const coverage = (x: number, y: number, pixel: number): number => {
  const head = 0.17 - Math.hypot(x - 0.5, y - 0.4);
  const shoulders = 0.33 - Math.hypot(x - 0.5, (y - 0.98) * 0.92);
  return Math.min(1, Math.max(0, Math.max(head, shoulders) / pixel + 0.5));
};

const fromHue = (hue: number, lightness: number): [number, number, number] => {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return lightness - 0.55 * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
};

const encodePng = (size: number, rows: Buffer): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8); // 8 bits, RGB
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
};

const chunk = (type: string, data = Buffer.alloc(0)): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** `/settings/connected_apps`: what a person gave the app, and the button that takes it back. */
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

const MAX_WEIGHT = 280;

/** `/intent/tweet` (or `/intent/post`): the composer with text and url filled in; the person presses Post. */
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

/** `/intent/follow` and `/settings/account`: real X has pages here that our app links to. */
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
  const head = html`<div class="panel row">${avatar(who, 72)}<div class="grow"><h1>${toDisplayName(who)}</h1>
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

const COOKIE = 'sandbox_persona';

/** Whom this browser is signed in as; remembered until another is picked. */
export const currentUser = ({ state, cookies }: Exchange): Persona | undefined =>
  state.personas.find((p) => p.id === cookies[COOKIE] && p.status !== 'deleted');

/** Asks who the person is, then goes on to `next`. */
export const pickPage = ({ state }: Exchange, title: string, next: string): Reply => {
  const people = state.personas.filter((p) => p.status !== 'deleted');
  return page(
    title,
    html`<div class="panel"><h1>${title}</h1><form method="post" action="/i/account"><input type="hidden" name="next" value="${next}">
<ul class="people">${people.map((p) => html`<li>${personButton(p)}</li>`)}</ul></form></div>`,
  );
};

const personButton = (p: Persona) =>
  html`<button name="persona" value="${p.id}">${avatar(p, 44)}<span class="grow">${toDisplayName(p)}<br><span class="soft">@${p.username}${p.status !== 'active' && ` · ${p.status}`}${p.bio && html` · <bdi>${p.bio}</bdi>`}</span></span></button>`;

export const pickPersona = (exchange: Exchange): Reply => {
  const form = readForm(exchange);
  const id = form?.get('persona') ?? '';
  const next = form?.get('next') ?? '/';
  const safe = /^\/[^/\\]/.test(next) ? next : '/';
  return redirect(safe, { 'set-cookie': `${COOKIE}=${encodeURIComponent(id)}; Path=/; HttpOnly; SameSite=Lax` });
};

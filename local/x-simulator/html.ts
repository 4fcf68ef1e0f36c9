import { createHash } from 'node:crypto';
import { escapeHtml } from '../../server/lib/html.ts';
import { type Exchange, readForm } from './http.ts';
import type { Persona } from './state.ts';

/** Markup that is inserted without escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

const render = (value: Value): string => {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return value === null || value === undefined || value === false ? '' : escapeHtml(String(value));
};

/** Template tag that escapes every value except markup of this tag. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.reduce((text, part, i) => text + render(values[i - 1]) + part));

/** A page of the simulator; sets its headers. */
export const page = (exchange: Exchange, title: string, content: Html): string => {
  const user = currentUser(exchange);
  exchange.set({
    'content-type': 'text/html; charset=utf-8',
    // No form-action: it would block the redirect to the app after consent.
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; frame-ancestors 'none'; base-uri 'none'",
  });
  return html`<!doctype html>
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
</html>`.text;
};

export const avatar = ({ id }: Persona, size: number): Html =>
  html`<img class="avatar" src="/profile_images/${id}_400x400.png" alt="" width="${size}" height="${size}">`;

const CHECKS: Record<string, string> = { blue: 'Verified', business: 'Business', government: 'Government' };

export const toDisplayName = (p: Persona): Html => {
  const kind = p.verifiedType === 'none' && p.verified ? 'blue' : p.verifiedType;
  const check = CHECKS[kind];
  return html`<span class="name"><bdi>${p.name}</bdi>${check && html` <span class="check ${kind}" role="img" aria-label="${check}" title="${check}">✓</span>`}</span>`;
};

const STYLE = `
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

export const showAvatar = async (exchange: Exchange): Promise<Buffer | undefined> => {
  const [, id = '', size = ''] =
    /^(\d+)(_normal|_bigger|_400x400)?\.(?:png|jpg)$/.exec(exchange.params.file ?? '') ?? [];
  if (!id) return;
  const hue = createHash('sha256').update(id).digest().readUInt16BE() % 360;
  const figure = `fill="hsl(${(hue + 25) % 360} 50% 88%)"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="400" height="400">
<rect width="100" height="100" fill="hsl(${hue} 55% 38%)"/><circle cx="50" cy="40" r="17" ${figure}/><ellipse cx="50" cy="98" rx="33" ry="36" ${figure}/></svg>`;
  // Loaded on demand, because most runs never show an avatar.
  const { default: sharp } = await import('sharp');
  exchange.type = 'png';
  exchange.set('cache-control', 'public, max-age=86400');
  return sharp(Buffer.from(svg)).resize(SIZES[size]).png().toBuffer();
};

const COOKIE = 'sandbox_persona';

export const currentUser = ({ state, cookies }: Exchange): Persona | undefined => {
  const id = cookies.get(COOKIE);
  return state.personas.find((p) => p.id === id && p.status !== 'deleted');
};

export const pickPage = (exchange: Exchange, title: string, next: string): string => {
  const people = exchange.state.personas.filter((p) => p.status !== 'deleted');
  return page(
    exchange,
    title,
    html`<div class="panel"><h1>${title}</h1><form method="post" action="/i/account"><input type="hidden" name="next" value="${next}">
<ul class="people">${people.map((p) => html`<li>${personButton(p)}</li>`)}</ul></form></div>`,
  );
};

const personButton = (p: Persona) =>
  html`<button name="persona" value="${p.id}">${avatar(p, 44)}<span class="grow">${toDisplayName(p)}<br><span class="soft">@${p.username}${p.status !== 'active' && ` · ${p.status}`}${p.bio && html` · <bdi>${p.bio}</bdi>`}</span></span></button>`;

export const pickPersona = (exchange: Exchange): void => {
  const form = readForm(exchange);
  const next = form?.get('next') ?? '/';
  exchange.cookies.set(COOKIE, form?.get('persona'), { sameSite: 'lax' });
  exchange.redirect(/^\/[^/\\]/.test(next) ? next : '/');
};

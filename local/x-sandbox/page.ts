import type { Reply } from './exchange.ts';
import type { Persona } from './personas.ts';
import { STYLE } from './style.ts';

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

export const nameOf = (p: Persona): Html => {
  const kind = p.verifiedType === 'none' && p.verified ? 'blue' : p.verifiedType;
  const check = CHECKS[kind];
  return html`<span class="name"><bdi>${p.name}</bdi>${check && html` <span class="check ${kind}" role="img" aria-label="${check}" title="${check}">✓</span>`}</span>`;
};

import { Html, html } from '../x-simulator/html.ts';
import type { ReadMail } from './store.ts';

const STYLE = `
:root { color-scheme: light dark; --bg:#f9fafb; --card:#fff; --text:#14181f; --soft:#5d646e; --line:#e0e3e7; --link:#0265d9; --warn:#fff2d2; --warn-text:#4d3d00 }
@media (prefers-color-scheme: dark) { :root { --bg:#0c0e13; --card:#161a20; --text:#f2f4f6; --soft:#a3aab4; --line:#2c3038; --link:#5ba8fc; --warn:#3a270b; --warn-text:#f0ba59 } }
* { box-sizing:border-box } body { margin:0; background:var(--bg); color:var(--text); font:16px/1.5 system-ui,sans-serif } a { color:var(--link) }
.banner { margin:0; padding:.5rem 1rem; text-align:center; background:var(--warn); color:var(--warn-text); font-size:.875rem }
main { max-width:60rem; margin:1.25rem auto; padding:0 1rem } h1 { font-size:1.4rem; line-height:1.25; overflow-wrap:anywhere } h2 { font-size:1.05rem; margin:1.5rem 0 .5rem }
.bar { display:flex; gap:1rem; align-items:center; flex-wrap:wrap } .bar h1 { margin:0; flex:1 } .soft { color:var(--soft) }
ul.mails { list-style:none; margin:1rem 0; padding:0; background:var(--card); border:1px solid var(--line); border-radius:12px } .mails li + li { border-top:1px solid var(--line) }
.mails a { display:block; padding:.7rem 1rem; color:inherit; text-decoration:none; overflow-wrap:anywhere } .mails a:hover strong { text-decoration:underline }
button { font:inherit; font-weight:600; padding:.45rem 1rem; border-radius:8px; border:1px solid var(--line); background:var(--card); color:inherit; cursor:pointer } :focus-visible { outline:3px solid var(--link); outline-offset:2px }
dl { display:grid; grid-template-columns:max-content 1fr; gap:.15rem 1rem; margin:.75rem 0; font-size:.9rem } dt { color:var(--soft) } dd { margin:0; overflow-wrap:anywhere }
iframe { display:block; width:100%; min-width:min(20rem,100%); max-width:100%; height:36rem; border:1px solid var(--line); border-radius:12px; background:#fff; resize:both; overflow:auto }
pre { margin:0; padding:1rem; background:var(--card); border:1px solid var(--line); border-radius:12px; white-space:pre-wrap; overflow-wrap:anywhere; font-size:.9rem } summary { cursor:pointer; margin-top:1.5rem; font-weight:600 }
@media (max-width:30rem) { dl { grid-template-columns:1fr } dd { margin-bottom:.4rem } }
`;

const page = (title: string, content: Html, head: Html = html``): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${head}
<title>${title} · Local mailbox</title><style>${new Html(STYLE)}</style>
</head>
<body>
<p class="banner" role="note"><strong>Local mailbox.</strong> What this marketplace mails ends here. Nothing leaves this machine.</p>
<main>${content}</main>
</body>
</html>`.text;

const toTime = (date: Date | undefined): string => date?.toISOString().replace('T', ' ').slice(0, 19) ?? '';

const toItem = ({ id, to, subject, date }: ReadMail): Html =>
  html`<li><a href="/mails/${id}"><strong><bdi>${subject || '(no subject)'}</bdi></strong><br><span class="soft">to <bdi>${to}</bdi> · ${toTime(date)} UTC</span></a></li>`;

/** All mails, newest first. The page reloads itself, so that a new mail appears. */
export const showList = (mails: readonly ReadMail[]): string =>
  page(
    `${mails.length} mails`,
    html`<div class="bar"><h1>Mails</h1>${
      mails.length > 0 && html`<form method="post" action="/clear"><button>Delete all</button></form>`
    }</div>${
      mails.length > 0
        ? html`<ul class="mails">${mails.map(toItem)}</ul>`
        : html`<p class="soft">There are no mails yet. Sign in on the marketplace, enter an address under Notification Settings, and the first one arrives here.</p>`
    }`,
    html`<meta http-equiv="refresh" content="5">`,
  );

const SHOWN = ['from', 'to', 'reply-to', 'date', 'message-id', 'list-id'];

const findHeader = ({ headers }: ReadMail, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** The button of mail programs (RFC 8058): they post to the address of List-Unsubscribe. */
const oneClick = (mail: ReadMail): Html | false => {
  const url = /<(https?:[^>]+)>/.exec(findHeader(mail, 'list-unsubscribe') ?? '')?.[1];
  if (url === undefined || findHeader(mail, 'list-unsubscribe-post') !== 'List-Unsubscribe=One-Click') return false;
  return html`<form method="post" action="${url}" target="_blank"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe, as the button of a mail program does</button></form>`;
};

/** One mail: its headers, its HTML in a frame without scripts, its text, and its source. */
export const showMail = (mail: ReadMail): string => {
  const shown = mail.headers.filter(([name]) => SHOWN.includes(name.toLowerCase()));
  return page(
    mail.subject,
    html`<p><a href="/">All mails</a></p><h1><bdi>${mail.subject || '(no subject)'}</bdi></h1>
<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>${oneClick(mail)}
<h2>HTML</h2>${
      mail.html === null
        ? html`<p class="soft">This mail has no HTML part.</p>`
        : html`<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mails/${mail.id}/html" title="The HTML part"></iframe><p class="soft">Drag the corner to see it narrower. It follows the colors of your system.</p>`
    }
<h2>Text</h2><pre>${mail.text}</pre>
<details><summary>Source</summary><p><a href="/mails/${mail.id}/source">As a file</a></p>
<dl>${mail.headers.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></details>`,
  );
};

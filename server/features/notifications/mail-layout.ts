import { getLanguage, getReadingDirection, type Texts, t } from '../../../contract/i18n.ts';
import type { Palette } from '../../../contract/palette.ts';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import type { EmailMessage } from '../../integrations/mail/mail.ts';
import { escapeHtml, shortenLine } from '../../lib/html.ts';
import { type LogoVersion, toLogoUrl } from '../brand/repository.ts';

export interface MailContent {
  /** The heading. The subject is usually the same. */
  title: string;
  /** Paragraphs of plain text; a line break inside one stays. */
  body: string;
  /** Absolute addresses, the most important first. */
  actions: readonly MailLink[];
  /** Why the receiver gets this mail. */
  reason: string;
  /** Where one answers, because replies to the mail reach nobody. */
  answer: MailLink;
  /** Absolute addresses at the end. */
  links: readonly MailLink[];
}

/** The context of a mail, with what `readSite` says instead. */
export interface MailContext extends Pick<AppContext, 'config' | 'clock'>, Pick<MailSite, 'palette' | 'logo'> {
  /** In the language of the receiver. */
  texts: Texts;
}

export interface MailLink {
  label: string;
  url: string;
}

/** The configuration with the name of the brand, and its colors: `readSite`. */
export interface MailSite {
  config: Pick<Config, 'siteName' | 'publicUrl'>;
  palette: Palette;
  logo: LogoVersion | null;
}

/** Where people answer a mail that no person wrote. */
export const toContact = ({ siteName, publicUrl }: MailSite['config']): MailLink => ({
  label: t('mails.contact', { site: siteName }),
  url: `${publicUrl}/contact`,
});

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * The colors of web/src/styles/tokens.css, and of the brand. Mail programs that know no dark ones ignore this; the others override the
 * styles of the elements.
 */
const toStyle = ({ light, dark }: Palette): string => `
:root { color-scheme: light dark; supported-color-schemes: light dark }
a { color: ${light.primary} }
@media (prefers-color-scheme: dark) {
  .page { background: #0c0e13 !important }
  .card { background: #161a20 !important; border-color: #2c3038 !important }
  .strong { color: #f2f4f6 !important } .text { color: #f2f4f6 !important } .soft { color: #a3aab4 !important }
  .button { background: ${dark.primary} !important; color: ${dark['primary-foreground']} !important }
  .second { background: transparent !important; color: ${dark['accent-foreground']} !important; border-color: #6e757f !important }
  a.link { color: ${dark.primary} !important }
}
@media (max-width: 480px) {
  .pad { padding-left: 20px !important; padding-right: 20px !important }
  .button, .second { display: block !important; margin: 0 0 10px !important; text-align: center !important }
}`;

const toParagraphs = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');

/** The space at the end of a line, and below. Mail programs know no logical margins. */
const toMargin = (end: number, below: number): string =>
  getReadingDirection() === 'rtl' ? `0 0 ${below}px ${end}px` : `0 ${end}px ${below}px 0`;

const toButton = ({ label, url }: MailLink, index: number, { light }: Palette): string => {
  const look =
    index === 0
      ? `background:${light.primary};color:${light['primary-foreground']};border:1px solid transparent`
      : `background:#ffffff;color:${light['accent-foreground']};border:1px solid #868d96`;
  return `<a class="${index === 0 ? 'button' : 'second'}" href="${escapeHtml(url)}" style="display:inline-block;margin:${toMargin(8, 10)};padding:12px 22px;border-radius:8px;font-weight:600;font-size:16px;line-height:20px;text-decoration:none;${look}">${escapeHtml(label)}</a>`;
};

const toLink = ({ label, url }: MailLink, { light }: Palette): string =>
  `<a class="link" href="${escapeHtml(url)}" style="display:inline-block;margin:${toMargin(20, 0)};color:${light['accent-foreground']}">${escapeHtml(label)}</a>`;

/** Japanese has no spaces: where a mail program can, its lines end between phrases. */
const WRAP = 'overflow-wrap:anywhere;word-break:break-word;word-break:auto-phrase';

const toHeader = ({ config: { siteName, publicUrl }, logo }: MailSite): string => {
  const url = toLogoUrl(logo);
  if (url === null) return escapeHtml(siteName);
  return `<img src="${escapeHtml(publicUrl + url)}" alt="" style="max-height:32px;max-width:160px;vertical-align:middle;margin:${toMargin(10, 0)}">${escapeHtml(siteName)}`;
};

/** Each line has its own direction: the title of an ad may be of another one than the sentence below. */
const toLines = (paragraph: string): string =>
  paragraph
    .split('\n')
    .map((line) => `<span dir="auto" style="display:block;text-align:start">${escapeHtml(line)}</span>`)
    .join('\n');

const toHtml = (site: MailSite, content: MailContent): string => {
  const { title, body, actions, reason, answer, links } = content;
  const { palette } = site;
  const start = getReadingDirection() === 'rtl' ? 'right' : 'left';
  const paragraphs = toParagraphs(body).map(
    (paragraph) =>
      `<p class="text" style="margin:0 0 16px;color:#14181f;font-size:16px;line-height:24px;${WRAP}">${toLines(paragraph)}</p>`,
  );
  return `<!doctype html>
<html lang="${getLanguage()}" dir="${getReadingDirection()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(title)}</title>
<style>${toStyle(palette)}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f9fafb;font-family:${FONT};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(shortenLine(body, 120))}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f9fafb">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:${start}">
<tr><td class="pad" style="padding:0 28px 14px"><a class="strong" href="${escapeHtml(site.config.publicUrl)}" style="color:#14181f;font-size:18px;font-weight:700;text-decoration:none;${WRAP}">${toHeader(site)}</a></td></tr>
<tr><td class="card pad" style="padding:28px 28px 18px;background:#ffffff;border:1px solid #e0e3e7;border-radius:12px">
<h1 class="strong" dir="auto" style="margin:0 0 12px;color:#14181f;font-size:21px;line-height:28px;text-align:start;${WRAP}">${escapeHtml(title)}</h1>
${paragraphs.join('\n')}
<div style="padding-top:6px">${actions.map((action, index) => toButton(action, index, palette)).join('')}</div>
</td></tr>
<tr><td class="pad soft" style="padding:16px 28px;color:#5d646e;font-size:13px;line-height:20px;${WRAP}">${escapeHtml(reason)}<br>
${t('mails.noReply')} ${toLink(answer, palette)}<br>
${links.map((one) => toLink(one, palette)).join(' ')}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
};

const TEXT_WIDTH = 76;

/** Breaks lines between words. A word that is longer, such as an address, keeps a line of its own. */
const wrap = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const lines: string[] = [];
      for (const word of line.split(/[ \t]+/)) {
        const last = lines.at(-1);
        if (last === undefined || last.length + word.length >= TEXT_WIDTH) lines.push(word);
        else lines[lines.length - 1] = `${last} ${word}`;
      }
      return lines.join('\n');
    })
    .join('\n');

/** The address has a line of its own: how a label is joined to it, and the direction of both, differ by language. */
const toLabelled = ({ label, url }: MailLink): string => `${label}\n${url}`;

const toText = ({ config: { siteName, publicUrl } }: MailSite, content: MailContent): string => {
  const { title, body, actions, reason, answer, links } = content;
  return `${[
    wrap(title),
    ...toParagraphs(body).map(wrap),
    ...actions.map(toLabelled),
    // programs cut a signature at this line, and show it softer
    `-- \n${siteName}, ${publicUrl}\n${wrap(reason)}\n${t('mails.noReply')}`,
    ...[answer, ...links].map(toLabelled),
  ].join('\n\n')}\n`;
};

/** In the language that is spoken now. A mail as HTML, in light and dark and without images but the logo, and as plain text with the same content. */
export const renderMail = (site: MailSite, content: MailContent): { html: string; text: string } => ({
  html: toHtml(site, content),
  text: toText(site, content),
});

interface SystemMail extends Omit<MailContent, 'answer' | 'links'> {
  to: string;
  subject: string;
  /** Unique: the mail's id begins with it. */
  id: string;
}

/** In the language that is spoken now. A mail that the person cannot switch off: about an address or a way to sign in. */
export const buildSystemMail = (site: MailSite, { to, subject, id, ...content }: SystemMail): EmailMessage => {
  const { siteName, publicUrl } = site.config;
  const links = [{ label: t('shell.titlePrivacy'), url: `${publicUrl}/privacy` }];
  return {
    to,
    subject,
    from: siteName,
    ...renderMail(site, { ...content, answer: toContact(site.config), links }),
    messageId: `${id}@${new URL(publicUrl).hostname}`,
    isAutomatic: true,
  };
};

import MarkdownIt from 'markdown-it';
import type { RenderedText, TextSection } from '../../../contract/page-texts.ts';
import { isWebUrl } from '../../../contract/scalars.ts';

/** No raw HTML, and nothing that loads by itself. */
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 20 }).disable([
  'image',
  'html_block',
  'html_inline',
  'table',
  'code',
  'fence',
]);
// of bare addresses, as in messages: whole ones, and those of mailboxes
markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: true });

const isPath = (href: string): boolean => /^\/(?![/\\]|%5c)/i.test(href);
const isMail = (href: string): boolean => /^mailto:[^\s]+$/i.test(href);
const isOnPage = (href: string): boolean => /^#./.test(href);

markdown.validateLink = (href) => isPath(href) || isOnPage(href) || isMail(href) || isWebUrl(href);

/** Ids of sections never are those of the page's own elements. */
const toSectionId = (name: string): string => `section-${name}`;

const { rules } = markdown.renderer;
rules.link_open = (tokens, index, options, _env, renderer) => {
  const token = tokens[index]!;
  const href = String(token.attrGet('href') ?? '');
  // "[words]()" is only words
  if (href === '')
    for (const part of [token, tokens.find(({ type }, at) => at > index && type === 'link_close')])
      if (part) part.hidden = true;
  token.attrs = [['href', isOnPage(href) ? `#${toSectionId(href.slice(1))}` : href]];
  if (isWebUrl(href)) token.attrs.push(['target', '_blank'], ['rel', 'nofollow ugc noopener']);
  return renderer.renderToken(tokens, index, options);
};
// a heading in a list or a quotation, or below the second level, is no section
rules.heading_open = () => '<p><strong>';
rules.heading_close = () => '</strong></p>\n';

type Token = ReturnType<typeof markdown.parse>[number];

const render = (tokens: Token[]): string => markdown.renderer.render(tokens, markdown.options, {}).trim();

/** The words of a heading without their markup. */
const toTitle = ({ children }: Token): string =>
  (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
    .trim();

const isHeading = ({ type, level, tag }: Token): boolean =>
  type === 'heading_open' && level === 0 && (tag === 'h1' || tag === 'h2' || tag === 'h3');

interface Piece {
  tag: string;
  title: string;
  tokens: Token[];
}

/** The text cut at the headings of its first levels. */
const cutAtHeadings = (tokens: Token[]): Piece[] => {
  const pieces: Piece[] = [{ tag: '', title: '', tokens: [] }];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const title = isHeading(token) ? toTitle(tokens[index + 1]!) : '';
    if (title === '') {
      pieces.at(-1)!.tokens.push(token);
      continue;
    }
    pieces.push({ tag: token.tag, title, tokens: [] });
    // its words and its end
    index += 2;
  }
  return pieces;
};

const toName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** Makes HTML of Markdown. Its headings of the first two levels begin sections, those of the third parts of a section. */
export const renderMarkdown = (source: string): RenderedText => {
  const [start, ...pieces] = cutAtHeadings(markdown.parse(source, {}));
  const sections: TextSection[] = [];
  const names = new Map<string, number>();
  const toId = (title: string): string => {
    const name = toName(title);
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return toSectionId(count === 1 ? name : `${name}-${count}`);
  };
  for (const { tag, title, tokens } of pieces) {
    const piece = { title, html: render(tokens) };
    const section = sections.at(-1);
    if (tag === 'h3' && section) section.parts.push(piece);
    else sections.push({ ...piece, id: toId(title), parts: [] });
  }
  return { intro: render(start?.tokens ?? []), sections };
};

const MAIL = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9.-]+$/;

/** Written so that Markdown shows the value as it is, and a mailbox as a link. */
const escapeMarkdown = (value: string): string =>
  MAIL.test(value) ? `<${value}>` : value.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** Puts the values in place of their names in braces. Other names stay as they are. */
export const fillPlaceholders = (source: string, values: Readonly<Record<string, string>>): string =>
  source.replace(/(mailto:)?\{(\w+)\}/g, (whole, scheme: string | undefined, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name]! : undefined;
    if (value === undefined) return whole;
    return scheme ? `${scheme}${encodeURI(value)}` : escapeMarkdown(value);
  });

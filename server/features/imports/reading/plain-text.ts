// HTML and BBCode of other sites as the plain text of an ad.

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  times: '×',
  frac12: '½',
  szlig: 'ß',
};

/** Letters whose entity is the letter and the name of its mark: eacute, Uuml. */
const MARKS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  ring: '\u030A',
};

const fromCode = (code: number): string | undefined =>
  code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined;

const toCharacter = (whole: string, name: string): string => {
  if (name.startsWith('#')) {
    const isHex = /^#x/i.test(name);
    return fromCode(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)) ?? whole;
  }
  if (Object.hasOwn(ENTITIES, name)) return ENTITIES[name]!;
  const [, letter, mark] = /^([A-Za-z])(acute|grave|circ|uml|tilde|cedil|ring)$/.exec(name) ?? [];
  return letter && mark ? (letter + MARKS[mark]).normalize('NFC') : whole;
};

/** The characters that entities stand for, once: "&amp;lt;" is "&lt;". Unknown ones stay as they are. */
export const readEntities = (text: string): string =>
  text.replace(/&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,9});/g, toCharacter);

const IS_HTML =
  /<\/?(?:p|br|div|span|ul|ol|li|b|i|u|em|strong|h[1-6]|table|tr|td|th|a|img|font|hr|blockquote|section)\b/i;

/** Elements that stand in lines of their own. */
const BLOCKS = new Set(
  'p div ul ol h1 h2 h3 h4 h5 h6 table tr hr blockquote section article header footer br'.split(' '),
);
const SKIPPED = ['script', 'style'];

const tidyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[ \t\u00A0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n\n- /g, '\n- ')
    .trim();

/** Where what begins at `from` ends: behind `end`, or behind everything. */
const behind = (html: string, end: string, from: number): number => {
  const at = html.indexOf(end, from);
  return at < 0 ? html.length : at + end.length;
};

const toLine = (name: string, isClosing: boolean): string => {
  if (name === 'li') return isClosing ? '' : '\n- ';
  return BLOCKS.has(name) ? '\n' : '';
};

const TAG = /<(\/?)([a-z][a-z0-9]{0,20})/iy;

/** More than any text of an ad may have, however it is written: what follows is too long in any case. */
const MAX_VISIBLE = 50_000;

/** One pass from "<" to "<". A "<" before what is no name is a character. */
const fromHtml = (source: string): string => {
  // lines of the source are no lines of the text
  const html = source.replace(/\s+/g, ' ');
  const lower = html.toLowerCase();
  let text = '';
  let visible = 0;
  for (let at = 0; at < html.length && visible < MAX_VISIBLE; ) {
    const open = html.indexOf('<', at);
    const words = html.slice(at, open < 0 ? html.length : open);
    text += words;
    visible += words.trim().length;
    if (open < 0) break;
    TAG.lastIndex = open;
    const [, slash, tag] = TAG.exec(html) ?? [];
    const name = tag?.toLowerCase();
    if (html.startsWith('<!--', open)) at = behind(html, '-->', open);
    else if (name === undefined) {
      text += '<';
      at = open + 1;
    } else if (slash === '' && SKIPPED.includes(name)) at = behind(html, '>', behind(lower, `</${name}`, open));
    else {
      text += toLine(name, slash === '/');
      at = behind(html, '>', open);
    }
  }
  return text;
};

/** HTML as text: paragraphs, breaks and list items become lines. A text without elements keeps its lines and its "<". */
export const toPlainText = (text: string): string =>
  IS_HTML.test(text) ? tidyLines(readEntities(fromHtml(text))) : readEntities(text).trim();

const BBCODE =
  /\[(\/?)(b|i|u|s|br|\*|url|img|list|quote|code|color|size|font|center|left|right|email|youtube)(?:=([^[\]]*))?\]/gi;

/** BBCode as text: "[b]old[/b]" is "old", a link its words and its address. */
export const fromBBCode = (source: string): string => {
  let text = '';
  let at = 0;
  let isImage = false;
  let link: { url: string; from: number } | undefined;
  for (const { 0: code, 1: slash, 2: given = '', 3: value = '', index } of source.matchAll(BBCODE)) {
    if (!isImage) text += source.slice(at, index);
    at = index + code.length;
    const name = given.toLowerCase();
    if (name === 'img') isImage = slash === '';
    else if (name === 'br') text += '\n';
    else if (name === '*') text += '\n- ';
    else if (name === 'url' && slash === '') link = { url: value, from: text.length };
    else if (name === 'url' && link) {
      if (link.url !== '' && link.url !== text.slice(link.from)) text += ` (${link.url})`;
      link = undefined;
    }
  }
  return tidyLines(text + source.slice(at));
};

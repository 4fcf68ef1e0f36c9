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

const BREAKS = /<\/?(?:p|div|ul|ol|h[1-6]|table|tr|hr|blockquote|section|article|header|footer)\b[^<>]{0,2000}>/gi;

const tidyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[ \t\u00A0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n\n- /g, '\n- ')
    .trim();

const fromHtml = (html: string): string =>
  html
    .replace(/<!--[\s\S]{0,100000}?-->/g, '')
    .replace(/<(script|style)\b[^<>]{0,2000}>[\s\S]{0,100000}?<\/\1\s*>/gi, '')
    // lines of the source are no lines of the text
    .replace(/\s+/g, ' ')
    .replace(/<br\b[^<>]{0,200}>/gi, '\n')
    .replace(/<li\b[^<>]{0,2000}>/gi, '\n- ')
    .replace(/<\/li\s*>/gi, '')
    .replace(BREAKS, '\n')
    .replace(/<\/?[a-z][^<>]{0,2000}>/gi, '');

/** HTML as text: paragraphs, breaks and list items become lines. A text without elements keeps its lines and its "<". */
export const toPlainText = (text: string): string =>
  IS_HTML.test(text) ? tidyLines(readEntities(fromHtml(text))) : readEntities(text).trim();

/** BBCode as text: "[b]old[/b]" is "old", a link its words and its address. */
export const fromBBCode = (text: string): string =>
  tidyLines(
    text
      .replace(/\[br\s*\/?\]/gi, '\n')
      .replace(/\[\*\]/g, '\n- ')
      .replace(/\[url=([^\]]{1,2000})\]([^[]{0,2000})\[\/url\]/gi, (_, url, words) =>
        words === url ? url : `${words} (${url})`,
      )
      .replace(/\[img\][^[]{0,2000}\[\/img\]/gi, '')
      .replace(
        /\[\/?(?:b|i|u|s|url|img|list|quote|code|color|size|font|center|left|right|email|youtube)(?:=[^\]]{0,200})?\]/gi,
        '',
      ),
  );

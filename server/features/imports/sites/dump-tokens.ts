import { UnreadableFile } from '../reading/imported-ad.ts';

/** A value in quotation marks, a name in backticks, a word or number, or a sign. */
export interface Token {
  kind: 'text' | 'name' | 'word' | 'sign';
  text: string;
}

/** A place in a text that arrives in pieces. What is before it is forgotten. */
export interface Cursor {
  text: string;
  at: number;
  /** Of `at`; the first is 1. */
  line: number;
  isOver: boolean;
  /** Where the line of `at` ends, as far as the text goes. */
  lineEnd: number;
  /** How far a text without its end was looked at. */
  seen: number;
  /** What ends a statement. */
  delimiter: string;
  /** The comments were there that mysqldump begins and ends with. */
  isDump: boolean;
  isCompleted: boolean;
  source: AsyncIterator<string>;
}

const MAX_TOKEN = 4 * 1024 * 1024;

export const openCursor = (text: AsyncIterable<string>): Cursor => ({
  text: '',
  at: 0,
  line: 1,
  lineEnd: Number.POSITIVE_INFINITY,
  isOver: false,
  seen: 0,
  delimiter: ';',
  isDump: false,
  isCompleted: false,
  source: text[Symbol.asyncIterator](),
});

const findLineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
};

/** Takes the next piece. */
const fill = async (cursor: Cursor): Promise<void> => {
  const { value, done } = await cursor.source.next();
  if (done) {
    cursor.isOver = true;
    return;
  }
  cursor.seen = Math.max(0, cursor.seen - cursor.at);
  cursor.text = cursor.text.slice(cursor.at) + value;
  cursor.at = 0;
  cursor.lineEnd = findLineEnd(cursor.text, 0);
};

const moveTo = (cursor: Cursor, to: number): void => {
  while (cursor.lineEnd < to) {
    cursor.line += 1;
    cursor.lineEnd = findLineEnd(cursor.text, cursor.lineEnd + 1);
  }
  cursor.at = to;
};

const refuseCut = (line: number): UnreadableFile =>
  new UnreadableFile('The dump ends in the middle of a statement that begins here: it is cut.', line);

const BEHIND_BLANKS = /[^\s]|$/g;
const QUOTED: Readonly<Record<string, RegExp>> = { "'": /['\\]/g, '"': /["\\]/g, '`': /`/g };

const search = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
};

/** Behind the quotation mark that ends what begins at `from`; -1: later than the text. */
const findQuoteEnd = (cursor: Cursor, from: number): number => {
  const { text } = cursor;
  const quote = text[from]!;
  for (let at = Math.max(from + 1, cursor.seen); ; at += 2) {
    cursor.seen = at;
    at = search(QUOTED[quote]!, text, at);
    if (at < 0) {
      cursor.seen = text.length;
      return -1;
    }
    cursor.seen = at;
    // the next character decides: a second quotation mark, or what is escaped
    if (at + 1 >= text.length && !(cursor.isOver && text[at] === quote)) return -1;
    if (text[at] === quote && text[at + 1] !== quote) return at + 1;
  }
};

const endOf = (text: string, end: string, from: number): number => {
  const at = text.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
};

/** Behind the comment at `at`; 0: there is none; -1: later than the text. */
const findCommentEnd = ({ text, isOver }: Cursor, at: number): number => {
  const isCut = !isOver && at + 3 > text.length;
  if (text[at] === '#') return endOf(text, '\n', at) < 0 && isOver ? text.length : endOf(text, '\n', at);
  if (text[at] === '-') {
    if (isCut) return -1;
    if (text[at + 1] !== '-' || /\S/.test(text[at + 2] ?? ' ')) return 0;
    return endOf(text, '\n', at) < 0 && isOver ? text.length : endOf(text, '\n', at);
  }
  if (text[at] !== '/') return 0;
  if (isCut) return -1;
  return text[at + 1] === '*' ? endOf(text, '*/', at + 2) : 0;
};

/** Moves behind blanks and comments. Returns whether it found something else, or the end of everything. */
const passComments = (cursor: Cursor): boolean => {
  for (;;) {
    moveTo(cursor, search(BEHIND_BLANKS, cursor.text, cursor.at));
    const end = findCommentEnd(cursor, cursor.at);
    if (end === 0) return cursor.at < cursor.text.length || cursor.isOver;
    if (end < 0) return false;
    const comment = cursor.text.slice(cursor.at, Math.min(end, cursor.at + 20));
    if (/^-- (?:MySQL|MariaDB) dump/.test(comment)) cursor.isDump = true;
    if (/^-- Dump completed/.test(comment)) cursor.isCompleted = true;
    moveTo(cursor, end);
  }
};

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', Z: '\u001A', 0: '' };

const ESCAPES: Readonly<Record<string, RegExp>> = { "'": /\\([\s\S])|''/g, '"': /\\([\s\S])|""/g, '`': /``/g };

/** What a text between quotation marks says. Without NUL, which no text of PostgreSQL may have. */
const readQuoted = (inner: string, quote: string): string =>
  inner
    .replace(ESCAPES[quote]!, (whole, character?: string) => {
      if (character === undefined) return quote;
      // the patterns of LIKE keep their backslash
      return character === '%' || character === '_' ? whole : (ESCAPED[character] ?? character);
    })
    .replaceAll('\0', '');

const WORD = /[-+\w.$@\u0080-\uFFFF]+/y;

/** The token at the cursor, which moves behind it; undefined: the text ends before it does. */
const scan = (cursor: Cursor): Token | undefined => {
  if (!passComments(cursor)) return undefined;
  const { text, at } = cursor;
  const first = text[at];
  if (first === undefined) return undefined;
  if (first in QUOTED) {
    const end = findQuoteEnd(cursor, at);
    if (end < 0) return undefined;
    moveTo(cursor, end);
    return { kind: first === '`' ? 'name' : 'text', text: readQuoted(text.slice(at + 1, end - 1), first) };
  }
  WORD.lastIndex = at;
  const [word] = WORD.exec(text) ?? [];
  // a word may go on, and no statement ends with one
  if (word !== undefined && at + word.length === text.length) return undefined;
  moveTo(cursor, at + (word ?? first).length);
  return word === undefined ? { kind: 'sign', text: first } : { kind: 'word', text: word };
};

const scanFurther = async (cursor: Cursor, begin: number): Promise<Token> => {
  for (;;) {
    if (cursor.isOver) throw refuseCut(begin);
    await fill(cursor);
    const token = scan(cursor);
    if (token) return token;
    if (cursor.text.length - cursor.at > MAX_TOKEN)
      throw new UnreadableFile('A value is longer than 4 MB.', cursor.line);
  }
};

/** The next token of a statement that began in the line `begin`. A promise only if the text has to go on first. */
export const readToken = (cursor: Cursor, begin: number): Token | Promise<Token> =>
  scan(cursor) ?? scanFurther(cursor, begin);

/** Moves to the next statement. Returns whether there is one. */
export const findStatement = async (cursor: Cursor): Promise<boolean> => {
  for (;;) {
    const { line } = cursor;
    if (passComments(cursor)) return cursor.at < cursor.text.length;
    if (cursor.isOver) throw refuseCut(line);
    await fill(cursor);
    if (cursor.text.length - cursor.at > MAX_TOKEN) throw new UnreadableFile('A comment is longer than 4 MB.', line);
  }
};

const DELIMITER = 'DELIMITER ';

/** Reads a command of the client `mysql` that changes the delimiter, if the cursor is at one. Returns whether it is. */
export const readDelimiter = async (cursor: Cursor): Promise<boolean> => {
  const isThere = () => cursor.text.slice(cursor.at, cursor.at + DELIMITER.length).toUpperCase();
  while (!cursor.isOver && isThere() !== DELIMITER && DELIMITER.startsWith(isThere())) await fill(cursor);
  if (isThere() !== DELIMITER) return false;
  const { line } = cursor;
  while (!cursor.text.includes('\n', cursor.at) && !cursor.isOver) {
    if (cursor.text.length - cursor.at > MAX_TOKEN) throw new UnreadableFile('A line is longer than 4 MB.', line);
    await fill(cursor);
  }
  const end = Math.min(cursor.lineEnd, cursor.text.length);
  cursor.delimiter =
    cursor.text
      .slice(cursor.at + DELIMITER.length, end)
      .trim()
      .slice(0, 20) || ';';
  moveTo(cursor, end);
  return true;
};

/** Behind the text in quotation marks at the cursor, whatever its length: nothing of it is kept. */
const passQuoted = async (cursor: Cursor, begin: number): Promise<void> => {
  const quote = cursor.text[cursor.at]!;
  moveTo(cursor, cursor.at + 1);
  for (;;) {
    const at = search(QUOTED[quote]!, cursor.text, cursor.at);
    const isDecided = at >= 0 && (at + 1 < cursor.text.length || cursor.isOver);
    if (isDecided) {
      const isEnd = cursor.text[at] === quote && cursor.text[at + 1] !== quote;
      moveTo(cursor, Math.min(at + (isEnd ? 1 : 2), cursor.text.length));
      if (isEnd) return;
    } else {
      if (cursor.isOver) throw refuseCut(begin);
      moveTo(cursor, at < 0 ? cursor.text.length : at);
      await fill(cursor);
    }
  }
};

const escapePattern = (text: string): string => text.replace(/[^\w]/g, '\\$&');

/** Moves behind the end of the statement, without keeping it. */
export const skipStatement = async (cursor: Cursor, begin: number): Promise<void> => {
  const { delimiter } = cursor;
  const interesting = new RegExp(`['"\`#/-]|${escapePattern(delimiter)}`, 'g');
  const longest = Math.max(delimiter.length, 3);
  for (;;) {
    const at = search(interesting, cursor.text, cursor.at);
    if (at < 0 || (at + longest > cursor.text.length && !cursor.isOver)) {
      if (cursor.isOver) throw refuseCut(begin);
      const kept = at < 0 ? Math.max(cursor.at, cursor.text.length - delimiter.length + 1) : at;
      moveTo(cursor, kept);
      await fill(cursor);
      continue;
    }
    moveTo(cursor, at);
    if (cursor.text.startsWith(delimiter, at)) return moveTo(cursor, at + delimiter.length);
    if (cursor.text[at]! in QUOTED) await passQuoted(cursor, begin);
    else await passComment(cursor, begin);
  }
};

/** Behind the comment at the cursor, or behind a sign that begins none. */
const passComment = async (cursor: Cursor, begin: number): Promise<void> => {
  const end = findCommentEnd(cursor, cursor.at);
  if (end >= 0) return moveTo(cursor, end === 0 ? cursor.at + 1 : end);
  const isBlock = cursor.text[cursor.at] === '/';
  const close = isBlock ? '*/' : '\n';
  if (isBlock) moveTo(cursor, cursor.at + 2);
  for (;;) {
    const found = endOf(cursor.text, close, cursor.at);
    if (found >= 0) return moveTo(cursor, found);
    if (cursor.isOver) throw refuseCut(begin);
    // the last sign may be the first half of the end
    moveTo(cursor, Math.max(cursor.at, cursor.text.length - 1));
    await fill(cursor);
  }
};

import { setImmediate } from 'node:timers/promises';
import { LOST, toStorable } from './decode.ts';
import { LOST_BYTES, type Problem, UnreadableFile } from './imported-ad.ts';

/** A value of a file, and the line where it begins. */
export interface JsonItem {
  line: number;
  value: unknown;
  /** It has a beginning and an end, and what is between them is no JSON. */
  problem?: Problem;
}

const MAX_ITEM = 1024 * 1024;
const MAX_DEPTH = 50;
/** As many commas: to read one value takes longer than to find where it ends. */
const MAX_VALUES = 50_000;
/** The names of lists of ads in an object. */
const LISTS = ['ads', 'listings', 'items', 'products', 'data', '@graph', 'itemListElement'];

/** Of NUL, and of halves of characters. */
const ODD_ESCAPE = /\\u(?:0000|d[89a-f])/i;

const mend = (_: string, value: unknown): unknown => (typeof value === 'string' ? toStorable(value) : value);

/** A value of JSON; escapes may stand for what no text may have. Looking at each value takes longer than reading all. @throws {SyntaxError} */
export const parseJson = (text: string): unknown => JSON.parse(text, ODD_ESCAPE.test(text) ? mend : undefined);

const MALFORMED: Problem = { column: '', what: { key: 'mistakes.jsonBroken' }, how: { key: 'mistakes.mend' } };

const parse = (text: string, line: number): JsonItem => {
  if (text.includes(LOST)) return { line, value: undefined, problem: { column: '', ...LOST_BYTES } };
  try {
    return { line, value: parseJson(text) };
  } catch {
    return { line, value: undefined, problem: MALFORMED };
  }
};

const tooLong = (line: number) => new UnreadableFile({ key: 'mistakes.adTooLong' }, line);

const refuse = (line: number) => new UnreadableFile({ key: 'mistakes.jsonForm' }, line);

/** Stands for all that is no sign of JSON. */
const WORD = 'a';
const MAX_START = 400;

/** How values begin that begin like this one, whose first character may be lost; null if that says nothing. */
const toStart = (text: string): RegExp | null => {
  const [, gap, key] = /^[^"\s]?(\s{0,100})"([^"\\]{1,100})"\s*:/.exec(text) ?? [];
  const toPattern = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return key === undefined ? null : new RegExp(`,\\s*\\{${gap}"${toPattern(key)}"\\s*:`);
};

/**
 * Finds the values of a list in the characters of a file, without keeping more of it than one. Behind one that is broken it goes on
 * where the next begins as the first one did.
 */
class Splitter {
  private open: string[] = [];
  private isText = false;
  private isEscaped = false;
  /** The last sign of JSON, or WORD. */
  private before = '';
  /** The last text of the outermost object: before a value it is its key. */
  private key = '';
  private word: string | undefined;
  private line = 1;
  private item: { depth: number; line: number; text: string } | undefined;
  private hasList = false;
  private values = 0;
  /** A value that begins now is one of the list. */
  private isBetweenItems = false;
  /** An object without a list of ads is an ad itself. */
  private readonly whole = { line: 0, text: '' };
  /** How values of the list begin; null if others begin so, too, or it cannot be told. */
  private start: RegExp | null | undefined;
  /** Behind a broken value: what follows, until the next begins. */
  private lost: { line: number; text: string } | undefined;
  private isBehindBroken = false;
  /** The file is a list, and not an object with one. */
  private isList = false;
  private last = '';

  *write(chunk: string): Generator<JsonItem> {
    this.last = (this.last + chunk).trimEnd().slice(-1);
    for (let rest: string | undefined = chunk; rest !== undefined; )
      rest = this.lost ? this.seek(rest) : yield* this.read(rest);
  }

  /** Returns what follows a broken value. */
  private *read(chunk: string): Generator<JsonItem, string | undefined> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at]!;
      if (this.item && this.isWrong(character) && this.findStart(this.item.text + chunk.slice(from, at))) {
        this.item.text += chunk.slice(from, at);
        return yield* this.lose(chunk.slice(at));
      }
      if (!this.item && this.start && this.isRest(character)) {
        if (this.open.length === 0) this.open = ['['];
        this.item = { depth: this.open.length, line: this.line, text: '' };
        return yield* this.lose(chunk.slice(at));
      }
      if (character === '\n') this.line += 1;
      if (this.isText) {
        this.readText(character);
        continue;
      }
      if (character.trim() !== '') this.before = ',:{}[]"'.includes(character) ? character : WORD;
      if (character === '"') {
        if (this.beginItem()) from = at;
        this.isText = true;
        if (this.open.length === 1) this.word = '';
      } else if (character === '{' || character === '[') {
        if (this.beginItem()) from = at;
        this.enter(character);
      } else if (character === '}' || character === ']' || character === ',') {
        if (yield* this.endItem(chunk.slice(from, at))) return yield* this.lose(chunk.slice(at));
        if (character === ',') {
          this.isBehindBroken = false;
          this.values += 1;
          if (this.values > MAX_VALUES && (this.item || !this.hasList))
            throw tooLong(this.item?.line ?? this.whole.line);
          continue;
        }
        this.leave(character);
        if (yield* this.endItem(chunk.slice(from, at + 1))) return yield* this.lose(chunk.slice(at + 1));
      } else if (this.isBetweenItems && character.trim() !== '' && this.beginItem()) from = at;
    }
    if (this.item) this.item.text += chunk.slice(from);
    if (!this.hasList) this.whole.text += chunk;
    if ((this.item?.text.length ?? 0) > MAX_ITEM || (!this.hasList && this.whole.text.length > MAX_ITEM))
      throw tooLong(this.item?.line ?? this.whole.line);
    return undefined;
  }

  *end(): Generator<JsonItem> {
    const isCut = this.last !== (this.open[0] === '{' ? '}' : ']');
    while (this.item && this.isText && !isCut && this.findStart(this.item.text))
      yield* this.write(yield* this.lose(''));
    if (this.lost && !isCut) return;
    if (this.open.length > 0 || this.isText) throw new UnreadableFile({ key: 'mistakes.fileCut' }, this.line);
    if (this.hasList || this.whole.text.trim() === '') return;
    const item = parse(this.whole.text, 1);
    if (item.problem) throw refuse(item.line);
    yield item;
  }

  /** Whether this cannot be where it is in a value of the list. */
  private isWrong(character: string): boolean {
    const isObject = this.open.at(-1) === '{';
    if (this.open.length <= this.item!.depth) return !this.isText && character === '}' && !isObject;
    if (this.isText) return character < ' ';
    const { before } = this;
    if (character === '"') return isObject ? !'{,:'.includes(before) : !'[,'.includes(before);
    if (character === '{' || character === '[') return isObject ? before !== ':' : !'[,'.includes(before);
    if (character === '}' || character === ']') return isObject !== (character === '}');
    return before === '"' && character.trim() !== '' && character !== ',' && character !== ':';
  }

  /** Whether this, between values or behind the list, is left of a broken one. */
  private isRest(character: string): boolean {
    if (this.isText || character.trim() === '') return false;
    if (this.open.length === 0) return this.isList && character !== '[';
    return this.isBetweenItems && (character === '}' || (this.isBehindBroken && !',]'.includes(character)));
  }

  /** Whether it is known how values begin. */
  private findStart(text: string): boolean {
    if (this.start === undefined) this.start = toStart(text);
    return this.start !== null;
  }

  /** What a value has inside is no beginning of another. */
  private learnStart(text: string): void {
    if (this.findStart(text) && this.start!.test(text)) this.start = null;
  }

  /** The value that is open is broken: the next is looked for in what it has, too. */
  private *lose(rest: string): Generator<JsonItem, string> {
    const { text, line, depth } = this.item!;
    yield { line, value: undefined, problem: text.includes(LOST) ? { column: '', ...LOST_BYTES } : MALFORMED };
    this.item = undefined;
    this.isBehindBroken = false;
    this.open = this.open.slice(0, depth);
    this.isText = false;
    this.isEscaped = false;
    this.lost = { line, text: '' };
    return text.slice(1) + rest;
  }

  /** Returns the text from the next value on, once it begins. */
  private seek(chunk: string): string | undefined {
    const lost = this.lost!;
    const text = lost.text + chunk;
    const at = text.search(this.start!);
    const skipped = at < 0 ? Math.max(0, text.length - MAX_START) : at;
    lost.line += text.slice(0, skipped).split('\n').length - 1;
    lost.text = text.slice(skipped);
    if (at < 0) return undefined;
    this.lost = undefined;
    this.line = lost.line;
    this.isBetweenItems = true;
    this.before = ',';
    return lost.text.slice(1);
  }

  private readText(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') {
      this.isText = false;
      if (this.open.length === 1) this.key = this.word ?? '';
      return;
    }
    if (this.open.length === 1 && this.word !== undefined && this.word.length < 20) this.word += character;
  }

  /** Whether an item begins here. */
  private beginItem(): boolean {
    if (!this.isBetweenItems) return false;
    this.item = { depth: this.open.length, line: this.line, text: '' };
    this.isBetweenItems = false;
    this.values = 0;
    return true;
  }

  /** The item, if it ends here. `rest` is what this chunk has of it. Returns whether it may have swallowed others. */
  private *endItem(rest: string): Generator<JsonItem, boolean> {
    if (!this.item || this.open.length > this.item.depth) return false;
    const item = { ...this.item, text: this.item.text + rest };
    const read = parse(item.text, item.line);
    const hasStart = this.start?.test(item.text) ?? false;
    if (read.problem && hasStart) {
      this.item = item;
      return true;
    }
    yield read;
    this.isBehindBroken = read.problem !== undefined;
    if (read.problem) this.findStart(item.text);
    else this.learnStart(item.text);
    this.item = undefined;
    this.isBetweenItems = true;
    return false;
  }

  private enter(bracket: '{' | '['): void {
    const path = this.open.join('');
    if (bracket === '[' && (path === '' || (path === '{' && LISTS.includes(this.key)))) {
      this.hasList = true;
      this.isList = path === '';
      this.isBetweenItems = true;
    }
    if (this.open.length >= MAX_DEPTH) throw new UnreadableFile({ key: 'mistakes.jsonNested' }, this.line);
    this.open.push(bracket);
  }

  private leave(bracket: '}' | ']'): void {
    if (this.open.pop() !== (bracket === '}' ? '{' : '[')) throw refuse(this.line);
    // of an item, or of the list
    if (!this.item) this.isBetweenItems = false;
  }
}

/** The values of a list, wherever the file has it: `[…]`, `{"ads": […]}`, `{"@graph": […]}`. A file may be one object, too. */
export async function* readJson(text: AsyncIterable<string>): AsyncGenerator<JsonItem> {
  const splitter = new Splitter();
  for await (const chunk of text) yield* splitter.write(chunk);
  yield* splitter.end();
}

const MAX_PAGE = 5 * 1024 * 1024;

/** The JSON-LD of an HTML page; the rest of the page is not read. A script that is no JSON is named, unless all are none. */
export async function* readPage(text: AsyncIterable<string>): AsyncGenerator<JsonItem> {
  let page = '';
  for await (const chunk of text) {
    page += chunk;
    if (page.length > MAX_PAGE) throw new UnreadableFile({ key: 'mistakes.pageTooLarge' });
  }
  const scripts: JsonItem[] = [];
  for (const { script, line } of listScripts(page)) {
    if (script.length > MAX_ITEM || script.split(',', MAX_VALUES + 2).length > MAX_VALUES + 1) throw tooLong(line);
    scripts.push(parse(script, line));
    await setImmediate();
  }
  if (scripts[0] && scripts.every(({ problem }) => problem)) throw refuse(scripts[0].line);
  for (const item of scripts) {
    const { line, value, problem } = item;
    if (problem) {
      yield item;
      continue;
    }
    const graph = (value as { '@graph'?: unknown } | null)?.['@graph'] ?? value;
    for (const thing of Array.isArray(graph) ? graph : [graph]) yield { line, value: thing };
  }
}

function* listScripts(page: string): Generator<{ script: string; line: number }> {
  const lower = page.toLowerCase();
  let line = 1;
  let counted = 0;
  for (let at = lower.indexOf('<script'); at >= 0; at = lower.indexOf('<script', at + 1)) {
    const begin = lower.indexOf('>', at) + 1;
    const end = lower.indexOf('</script', begin);
    if (begin === 0 || end < 0) return;
    line += page.slice(counted, at).split('\n').length - 1;
    counted = at;
    if (lower.slice(at, begin).includes('application/ld+json')) yield { script: page.slice(begin, end), line };
    at = end;
  }
}

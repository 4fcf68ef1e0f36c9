import { setImmediate } from 'node:timers/promises';
import { toStorable } from './decode.ts';
import { type Problem, UnreadableFile } from './imported-ad.ts';

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

/** A value of JSON; escapes may stand for what no text may have. @throws {SyntaxError} */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? toStorable(value) : value));

const MALFORMED: Problem = { column: '', what: { key: 'mistakes.jsonBroken' }, how: { key: 'mistakes.mend' } };

const parse = (text: string, line: number): JsonItem => {
  try {
    return { line, value: parseJson(text) };
  } catch {
    return { line, value: undefined, problem: MALFORMED };
  }
};

const tooLong = (line: number) => new UnreadableFile({ key: 'mistakes.adTooLong' }, line);

const refuse = (line: number) => new UnreadableFile({ key: 'mistakes.jsonForm' }, line);

/** Finds the values of a list in the characters of a file, without keeping more of it than one. */
class Splitter {
  private readonly open: string[] = [];
  private isText = false;
  private isEscaped = false;
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

  *write(chunk: string): Generator<JsonItem> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at]!;
      if (character === '\n') this.line += 1;
      if (this.isText) this.readText(character);
      else if (character === '"') {
        if (this.beginItem()) from = at;
        this.isText = true;
        if (this.open.length === 1) this.word = '';
      } else if (character === '{' || character === '[') {
        if (this.beginItem()) from = at;
        this.enter(character);
      } else if (character === '}' || character === ']' || character === ',') {
        yield* this.endItem(chunk.slice(from, at));
        if (character === ',') {
          this.values += 1;
          if (this.values > MAX_VALUES && (this.item || !this.hasList))
            throw tooLong(this.item?.line ?? this.whole.line);
          continue;
        }
        this.leave(character);
        yield* this.endItem(chunk.slice(from, at + 1));
      } else if (this.isBetweenItems && character.trim() !== '' && this.beginItem()) from = at;
    }
    if (this.item) this.item.text += chunk.slice(from);
    if (!this.hasList) this.whole.text += chunk;
    if ((this.item?.text.length ?? 0) > MAX_ITEM || (!this.hasList && this.whole.text.length > MAX_ITEM))
      throw tooLong(this.item?.line ?? this.whole.line);
  }

  *end(): Generator<JsonItem> {
    if (this.open.length > 0 || this.isText) throw new UnreadableFile({ key: 'mistakes.fileCut' }, this.line);
    if (this.hasList || this.whole.text.trim() === '') return;
    const item = parse(this.whole.text, 1);
    if (item.problem) throw refuse(item.line);
    yield item;
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

  /** The item, if it ends here. `rest` is what this chunk has of it. */
  private *endItem(rest: string): Generator<JsonItem> {
    if (!this.item || this.open.length > this.item.depth) return;
    yield parse(this.item.text + rest, this.item.line);
    this.item = undefined;
    this.isBetweenItems = true;
  }

  private enter(bracket: '{' | '['): void {
    const path = this.open.join('');
    if (bracket === '[' && (path === '' || (path === '{' && LISTS.includes(this.key)))) {
      this.hasList = true;
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

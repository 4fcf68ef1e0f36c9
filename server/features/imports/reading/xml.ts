import { SaxesParser } from 'saxes';
import type { ErrorPhrase } from '../../../error-phrases.ts';
import { LOST } from './decode.ts';
import { LOST_BYTES, type Problem, UnreadableFile } from './imported-ad.ts';

/** An element by its name without a prefix, with all of its text. */
export interface XmlNode {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: XmlNode[];
  line: number;
  /** What is between this line and the next element of its name is not well formed. */
  problem?: Problem;
}

const MAX_DEPTH = 20;
const MAX_NODES = 2000;
const MAX_RECORD = 1024 * 1024;
const MAX_TOKEN = 2 * 1024 * 1024;
const MAX_TAG = 300;
/** Of the tags around the ads, which are read again behind each that is broken. */
const MAX_OUTER = 4096;

const tooLarge = (line: number) => new UnreadableFile({ key: 'mistakes.adTooLong' }, line);

/** The document is not well formed. */
class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** The parser alone, without the entities and the definitions of documents: `&amp;` and its four kin are all there are. */
const createParser = (refuse: (what: ErrorPhrase) => UnreadableFile): SaxesParser<{ xmlns: true }> => {
  const parser = new SaxesParser({ xmlns: true, position: true });
  parser.on('error', (error) => {
    throw new Malformed(error.message.replace(/^\d+:\d+: |\.$/g, ''));
  });
  parser.on('doctype', () => {
    throw refuse({ key: 'mistakes.doctype' });
  });
  return parser;
};

const escapeAttribute = (value: string): string =>
  value.replace(/[&<>"\s]/g, (character) => `&#${character.codePointAt(0)};`);

/**
 * Finds the elements of one name. The text of a file is fed from where one begins to where the next one does: what is not well formed
 * until then is a mistake of this one alone, and another parser goes on with the next.
 */
class Elements {
  private readonly record: string;
  private parser: SaxesParser<{ xmlns: true }> | undefined;
  /** The tags around the elements. */
  private outer: string[] = [];
  private open: XmlNode[] = [];
  private done: XmlNode[] = [];
  private depth = 0;
  private nodes = 0;
  private size = 0;
  private sinceEvent = 0;
  /** Of the first character that the parser got. */
  private firstLine = 1;
  private line = 1;
  private begun: number | undefined;
  /** What is wrong before the first of them. */
  private refusal: UnreadableFile | undefined;
  private hasLost = false;
  private isOver = false;

  constructor(record: string) {
    this.record = record;
    this.parser = this.parse();
  }

  /** A text without the beginning of one of the elements, or that begins with it. */
  *feed(text: string, isBeginning: boolean): Generator<XmlNode> {
    if (isBeginning) {
      if (this.parser && this.open.length > 0)
        yield* this.attempt(() => {
          throw new Malformed(`unclosed tag: ${this.open.at(-1)!.name}`);
        });
      if (this.refusal) yield this.breakOff(this.refusal.phrase!);
      this.refusal = undefined;
      if (!this.parser) this.restart();
      this.begun = this.line;
      this.hasLost = false;
    }
    this.hasLost ||= text.includes(LOST);
    yield* this.attempt((parser) => {
      this.sinceEvent += text.length;
      parser.write(text);
      if (this.sinceEvent > MAX_TOKEN) throw tooLarge(this.now());
    });
    this.line += text.match(/\r\n?|\n/g)?.length ?? 0;
  }

  /** @throws {UnreadableFile} if it is cut */
  *end(last: string): Generator<XmlNode> {
    if (this.refusal) throw this.refusal;
    const isWhole = new RegExp(`</${this.outer[0]?.slice(1).split(/[ >]/, 1)[0] ?? ''}\\s*>\\s*$`).test(last);
    if (!this.parser && !isWhole) throw new UnreadableFile({ key: 'mistakes.fileCut' }, this.line);
    this.isOver = true;
    if (!isWhole) this.begun = undefined;
    yield* this.attempt((parser) => parser.close());
  }

  private *attempt(work: (parser: SaxesParser<{ xmlns: true }>) => void): Generator<XmlNode> {
    let failed: XmlNode | undefined;
    try {
      if (this.parser) work(this.parser);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      failed = this.fail(error.message);
    }
    yield* this.done;
    this.done = [];
    if (failed) yield failed;
  }

  private now(): number {
    return this.firstLine + (this.parser?.line ?? 1) - 1;
  }

  /** What has begun is broken; without an element behind it, it is the file. */
  private fail(why: string): XmlNode | undefined {
    const values = { why };
    if (this.begun !== undefined) return this.breakOff({ key: 'mistakes.xmlBroken', values });
    const refusal = new UnreadableFile({ key: 'mistakes.xmlForm', values }, this.now());
    if (this.isOver || this.outer.length === 0) throw refusal;
    this.refusal = refusal;
    this.parser = undefined;
    return undefined;
  }

  private breakOff({ values = {} }: ErrorPhrase): XmlNode {
    const broken = { column: '', what: { key: 'mistakes.xmlBroken', values }, how: { key: 'mistakes.mend' } } as const;
    this.parser = undefined;
    this.open = [];
    return {
      name: this.record,
      attributes: {},
      text: '',
      children: [],
      line: this.begun ?? 1,
      problem: this.hasLost ? { column: '', ...LOST_BYTES } : broken,
    };
  }

  private restart(): void {
    const { outer } = this;
    [this.outer, this.depth, this.sinceEvent] = [[], 0, 0];
    this.parser = this.parse();
    this.parser.write(outer.join(''));
    this.firstLine = this.line;
  }

  private grow(characters: number): void {
    this.sinceEvent = 0;
    this.size += characters;
    if (this.open.length > 0 && this.size > MAX_RECORD) throw tooLarge(this.open[0]!.line);
  }

  private parse(): SaxesParser<{ xmlns: true }> {
    const parser = createParser((what) => new UnreadableFile(what, this.now()));
    parser.on('opentag', ({ name, local, attributes }) => {
      this.depth += 1;
      if (this.depth > MAX_DEPTH) throw new UnreadableFile({ key: 'mistakes.xmlNested' }, this.now());
      const values = Object.entries(attributes).map(([name, { value }]) => [name, value] as const);
      const parent = this.open.at(-1);
      if (parent === undefined && local !== this.record) {
        // of the attributes, those of prefixes are needed alone
        const prefixes = values.filter(([key]) => /^xmlns(:|$)/.test(key));
        this.outer.push(
          `<${[name, ...prefixes.map(([key, value]) => `${key}="${escapeAttribute(value)}"`)].join(' ')}>`,
        );
        if (this.outer.join('').length > MAX_OUTER) throw tooLarge(this.now());
        return this.grow(0);
      }
      if (parent === undefined) [this.nodes, this.size] = [0, 0];
      this.nodes += 1;
      if (this.nodes > MAX_NODES) throw tooLarge(this.open[0]?.line ?? this.now());
      const node = {
        name: local,
        attributes: Object.fromEntries(values),
        text: '',
        children: [],
        line: this.now(),
      };
      parent?.children.push(node);
      this.open.push(node);
      this.grow(values.reduce((sum, [name, value]) => sum + name.length + value.length, 0));
    });
    parser.on('closetag', () => {
      this.depth -= 1;
      this.grow(0);
      const node = this.open.pop();
      if (node === undefined && this.depth > 0) this.outer.pop();
      if (node !== undefined && this.open.length === 0) this.done.push(node);
    });
    const addText = (value: string): void => {
      this.grow(value.length);
      const node = this.open.at(-1);
      if (node) node.text += value;
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('comment', () => this.grow(0));
    parser.on('processinginstruction', () => this.grow(0));
    return parser;
  }
}

/**
 * The elements of this name, each once it is complete, or known to be broken. What is outside of them is not kept. Refuses what could
 * take more memory than an ad does: depth, size, number of elements.
 */
export async function* readXml(text: AsyncIterable<string>, record: string): AsyncGenerator<XmlNode> {
  const elements = new Elements(record);
  const begins = new RegExp(`<(?:[\\w.-]+:)?${record}(?=[\\s/>])`, 'g');
  let rest = '';
  let isBeginning = false;
  let last = '';
  for await (const chunk of text) {
    last = (last + chunk).slice(-MAX_TAG);
    rest += chunk;
    for (;;) {
      begins.lastIndex = Number(isBeginning);
      const at = begins.exec(rest)?.index;
      if (at === undefined) break;
      yield* elements.feed(rest.slice(0, at), isBeginning);
      rest = rest.slice(at);
      isBeginning = true;
    }
    // the beginning of a tag may go on
    const tag = rest.lastIndexOf('<');
    const end = tag > 0 && rest.length - tag < MAX_TAG ? tag : tag === 0 && rest.length < MAX_TAG ? 0 : rest.length;
    if (end === 0) continue;
    yield* elements.feed(rest.slice(0, end), isBeginning);
    rest = rest.slice(end);
    isBeginning = false;
  }
  yield* elements.feed(rest, isBeginning);
  yield* elements.end(last);
}

/** The names of the first elements, as far as the beginning of a file has them, and the namespaces that it declares. */
export const readXmlHead = (head: string): { root: string; names: ReadonlySet<string> } => {
  const names: string[] = [];
  let depth = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, local }) => {
    names.push(name, local);
    depth += 1;
    // the parser looks for a prefix in all that is around
    if (depth > MAX_DEPTH) throw new Malformed('nested');
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  try {
    parser.write(head);
  } catch {
    // what is not well formed is reported where it is read
    const rest = names.length > 0 ? head.slice(parser.position).matchAll(/<((?:[\w.-]+:)?([A-Z_a-z][\w.-]*))/g) : [];
    for (const [, name, local] of rest) names.push(name!, local!);
  }
  return { root: names[1] ?? '', names: new Set(names) };
};

export const findAll = ({ children }: XmlNode, name: string): XmlNode[] =>
  children.filter((child) => child.name === name);

/** The text of the first element of this name; empty without one. */
export const textOf = (node: XmlNode, name: string): string => (findAll(node, name)[0]?.text ?? '').trim();

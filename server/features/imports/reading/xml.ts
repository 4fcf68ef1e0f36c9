import { SaxesParser } from 'saxes';
import { UnreadableFile } from './imported-ad.ts';

/** An element by its name without a prefix, with all of its text. */
export interface XmlNode {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: XmlNode[];
  line: number;
}

const MAX_DEPTH = 20;
const MAX_NODES = 2000;
const MAX_RECORD = 1024 * 1024;
const MAX_TOKEN = 2 * 1024 * 1024;

const tooLarge = (line: number) => new UnreadableFile({ key: 'mistakes.adTooLong' }, line);

/** The parser alone, without the entities and the definitions of documents: `&amp;` and its four kin are all there are. */
const createParser = (): SaxesParser<{ xmlns: true }> => {
  const parser = new SaxesParser({ xmlns: true, position: true });
  parser.on('error', (error) => {
    throw new UnreadableFile(
      { key: 'mistakes.xmlForm', values: { why: error.message.replace(/^\d+:\d+: /, '') } },
      parser.line,
    );
  });
  parser.on('doctype', () => {
    throw new UnreadableFile({ key: 'mistakes.doctype' }, parser.line);
  });
  return parser;
};

/**
 * The elements of this name, each once it is complete. What is outside of them is not kept. Refuses what could take more memory than
 * an ad does: depth, size, number of elements.
 */
export async function* readXml(text: AsyncIterable<string>, record: string): AsyncGenerator<XmlNode> {
  const parser = createParser();
  const open: XmlNode[] = [];
  let done: XmlNode[] = [];
  let depth = 0;
  let nodes = 0;
  let size = 0;
  let sinceEvent = 0;
  const grow = (characters: number): void => {
    sinceEvent = 0;
    size += characters;
    if (open.length > 0 && size > MAX_RECORD) throw tooLarge(open[0]!.line);
  };
  parser.on('opentag', ({ local, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new UnreadableFile({ key: 'mistakes.xmlNested' }, parser.line);
    const parent = open.at(-1);
    if (parent === undefined && local !== record) return grow(0);
    if (parent === undefined) [nodes, size] = [0, 0];
    nodes += 1;
    if (nodes > MAX_NODES) throw tooLarge(open[0]?.line ?? parser.line);
    const values = Object.entries(attributes).map(([name, { value }]) => [name, value] as const);
    const node = { name: local, attributes: Object.fromEntries(values), text: '', children: [], line: parser.line };
    parent?.children.push(node);
    open.push(node);
    grow(values.reduce((sum, [name, value]) => sum + name.length + value.length, 0));
  });
  parser.on('closetag', () => {
    depth -= 1;
    grow(0);
    const node = open.pop();
    if (node !== undefined && open.length === 0) done.push(node);
  });
  const addText = (value: string): void => {
    grow(value.length);
    const node = open.at(-1);
    if (node) node.text += value;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('comment', () => grow(0));
  parser.on('processinginstruction', () => grow(0));
  for await (const chunk of text) {
    sinceEvent += chunk.length;
    parser.write(chunk);
    if (sinceEvent > MAX_TOKEN) throw tooLarge(parser.line);
    yield* done;
    done = [];
  }
  parser.close();
  yield* done;
}

/**
 * The names of the first elements, as far as the beginning of a file has them and is well formed, and the namespaces that it
 * declares.
 */
export const readXmlHead = (head: string): { root: string; names: ReadonlySet<string> } => {
  const names: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, local }) => void names.push(name, local));
  try {
    parser.write(head);
  } catch {
    // what the file says until then is known
  }
  return { root: names[1] ?? '', names: new Set(names) };
};

export const findAll = ({ children }: XmlNode, name: string): XmlNode[] =>
  children.filter((child) => child.name === name);

/** The text of the first element of this name; empty without one. */
export const textOf = (node: XmlNode, name: string): string => (findAll(node, name)[0]?.text ?? '').trim();

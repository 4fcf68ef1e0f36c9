import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { ENGLISH } from '../../contract/english.ts';
import type { Catalog } from '../../contract/i18n.ts';

// Compares the calls of `t` and the elements `Rich` with the English texts that they name: the types of JSON do not keep the
// texts, so the compiler does not know what a text needs.

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['contract', 'server', 'cli', 'web/src'];

interface Node {
  type: string;
  [child: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const listChildren = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** The node and all below it. */
const walk = (node: Node): Node[] => [node, ...listChildren(node).flatMap(walk)];

/** Literal keys of an expression, also of both sides of a condition; undefined if it has others. */
const readKeys = (node: Node): string[] | undefined => {
  if (node.type === 'Literal') return [String(node.value)];
  if (node.type !== 'ConditionalExpression') return undefined;
  const [one, other] = [readKeys(node.consequent as Node), readKeys(node.alternate as Node)];
  return one && other && [...one, ...other];
};

const nameOf = (node: unknown): string => String((node as Node).name ?? (node as Node).value);

/** The names of an object that is written out; undefined if it is made elsewhere. */
const readNames = (node: Node | undefined): string[] | undefined => {
  if (node === undefined) return [];
  const properties = node.properties as Node[] | undefined;
  if (node.type !== 'ObjectExpression' || !properties?.every(({ type }) => type === 'Property')) return undefined;
  return properties.map(({ key }) => nameOf(key));
};

const PLURAL = /_(zero|one|two|few|many|other)$/;

/** The English text of a key, or its plurals. */
const findTexts = (key: string): string[] => {
  const [area = '', name = ''] = key.split('.');
  const catalog: Catalog = ENGLISH[area as keyof typeof ENGLISH] ?? {};
  if (name in catalog) return [catalog[name] ?? ''];
  return Object.entries(catalog).flatMap(([own, text]) =>
    PLURAL.test(own) && own.replace(PLURAL, '') === name ? [text, '{{count}}'] : [],
  );
};

const listMarks = (keys: readonly string[], pattern: RegExp): Set<string> =>
  new Set(
    keys.flatMap((key) => findTexts(key).flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))),
  );

const toFaults = (keys: readonly string[], found: readonly string[], what: string): string[] =>
  found.map((name) => `${keys.join(' or ')} ${what} ${name}`);

const findFaultsOfCall = ({ callee, arguments: given }: Node): string[] => {
  const [key, values] = given as [Node?, Node?];
  if (nameOf(callee) !== 't' || key === undefined) return [];
  const [keys, names] = [readKeys(key), readNames(values)];
  if (keys === undefined || names === undefined) return [];
  const needed = listMarks(keys, /\{\{(\w+)\}\}/g);
  return [
    ...toFaults(
      keys,
      [...needed].filter((name) => !names.includes(name)),
      'lacks',
    ),
    ...toFaults(
      keys,
      names.filter((name) => !needed.has(name)),
      'does not have',
    ),
  ];
};

const findFaultsOfRich = (element: Node): string[] => {
  if (nameOf(element.name) !== 'Rich') return [];
  const attributes = element.attributes as Node[];
  const names = attributes.map(({ name }) => name && nameOf(name));
  const text = attributes.find(({ name }) => name && nameOf(name) === 'text');
  const calls = text
    ? walk(text).filter(({ type, callee }) => type === 'CallExpression' && nameOf(callee) === 't')
    : [];
  const keys = calls.flatMap(({ arguments: given }) => readKeys((given as [Node])[0]) ?? []);
  const tags = [...listMarks(keys, /<(\w+)>/g)];
  return toFaults(
    keys,
    tags.filter((tag) => !names.includes(tag)),
    'lacks the tag',
  );
};

/** What calls of `t` and elements `Rich` in a source give their texts wrongly, or not at all. */
export const findWrongValues = (source: string, file = 'source.tsx'): string[] =>
  walk(parseSync(file, source).program as unknown as Node).flatMap((node) => {
    if (node.type === 'CallExpression') return findFaultsOfCall(node);
    return node.type === 'JSXOpeningElement' ? findFaultsOfRich(node) : [];
  });

/** Of all sources. */
export const listWrongValues = (): string[] =>
  SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
      .flatMap((file) => {
        const path = join(folder, file);
        const source = readFileSync(join(ROOT, path), 'utf8');
        if (!source.includes("/i18n.ts'")) return [];
        return findWrongValues(source, path).map((fault) => `${path}: ${fault}`);
      }),
  );

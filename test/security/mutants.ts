import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** A change to one source file: `replacement` replaces the text from `from` to `to`. */
export interface Mutant {
  file: string;
  from: number;
  to: number;
  replacement: string;
}

/** A check outside of the policy: in a statement, a presenter or the HTTP layer. */
export interface Guard {
  /** The function, constant or property that contains the guard. */
  in: string;
  /** Part of the file's path, if several files declare that name. */
  file?: string;
  /** The text of the guard. White space and the kind of quotes are ignored. */
  guard: string;
  without: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
}

export interface Condition {
  rule: string;
  text: string;
  from: number;
  to: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const listChildren = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

// biome-ignore lint/suspicious/noExplicitAny: nodes of every type are read by their properties
type AnyNode = any;

const parse = (source: string): Node => parseSync('source.ts', source).program as unknown as Node;

function splitExpression(node: AnyNode): Node[] {
  if (node.type === 'ParenthesizedExpression') return splitExpression(node.expression);
  if (node.type === 'LogicalExpression') return [...splitExpression(node.left), ...splitExpression(node.right)];
  if (node.type === 'ConditionalExpression')
    return [node.test, node.consequent, node.alternate].flatMap((part) => splitExpression(part));
  return [node];
}

const isReturnTrue = (node: AnyNode): boolean => node.type === 'ReturnStatement' && node.argument?.value === true;

function listReturned(node: AnyNode): Node[] {
  if (node.type === 'ReturnStatement') return node.argument ? [node.argument] : [];
  // `if (a) return true; return b;` is `a || b`.
  if (node.type === 'IfStatement' && isReturnTrue(node.consequent)) return [node.test];
  return listChildren(node).flatMap(listReturned);
}

/** The rules of a policy file: its exported functions that return a boolean, with the expressions that they return. */
function listRules(source: string): { rule: string; returned: Node[] }[] {
  const exported = (parse(source) as AnyNode).body
    .filter((node: AnyNode) => node.type === 'ExportNamedDeclaration' && node.declaration)
    .flatMap(({ declaration }: AnyNode) =>
      declaration.declarations
        ? declaration.declarations.map(({ id, init }: AnyNode) => ({ name: id.name, made: init }))
        : [{ name: declaration.id.name, made: declaration }],
    );
  return exported
    .filter(({ made }: AnyNode) => made?.returnType?.typeAnnotation.type === 'TSBooleanKeyword')
    .map(({ name, made }: AnyNode) => ({
      rule: name,
      returned: made.body.type === 'BlockStatement' ? listReturned(made.body) : [made.body],
    }));
}

export const listConditions = (source: string): Condition[] =>
  listRules(source).flatMap(({ rule, returned }) =>
    returned.flatMap(splitExpression).map(({ start, end }) => {
      return { rule, text: source.slice(start, end), from: start, to: end };
    }),
  );

function findDeclarations(node: AnyNode, name: string): Node[] {
  const own =
    node.id?.name ?? (node.type === 'Property' || node.type === 'MethodDefinition' ? node.key?.name : undefined);
  return own === name ? [node] : listChildren(node).flatMap((child) => findDeclarations(child, name));
}

const listSources = (): string[] =>
  readdirSync(join(ROOT, 'server'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));

const toPattern = (guard: string): RegExp => {
  const tokens = guard.match(/\w+|[^\w\s]/g) ?? [];
  const escaped = tokens.map((token) => (/["'`]/.test(token) ? '["\'`]' : token.replace(/\W/g, '\\$&')));
  return new RegExp(escaped.join('\\s*'), 'g');
};

/** Finds a guard in the sources of the server. Throws unless its declaration and the guard occur exactly once. */
export function findGuard({ in: name, file: part = '', guard, without }: Guard): Mutant {
  const files = listSources().filter((file) => file.includes(part));
  const places = files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    if (!source.includes(name)) return [];
    return findDeclarations(parse(source), name).map(({ start, end }) => ({
      file,
      start,
      text: source.slice(start, end),
    }));
  });
  if (places.length === 0) throw new Error(`no declaration of ${name} in server/: was it renamed?`);
  const found = places.flatMap(({ file, start, text }) =>
    [...text.matchAll(toPattern(guard))].map(({ index, 0: match }) => ({
      file,
      from: start + index,
      to: start + index + match.length,
      replacement: without,
    })),
  );
  if (found.length === 1) return found[0]!;
  const where = places.map(({ file }) => file).join(', ');
  throw new Error(`${name} (${where}) contains the guard ${found.length} times, not once: ${guard}`);
}

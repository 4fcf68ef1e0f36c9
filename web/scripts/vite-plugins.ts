import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { LIMITS } from '../../contract/limits.ts';
import { OF_BODIES } from './catalogs.ts';

/**
 * For development, where Vite serves the pages: fetches the initial state (settings, session, first lists) from the
 * same path of the API server and inserts it into the HTML. If no server runs, the page uses defaults.
 */
export const initialStateFromServer = (server: string): Plugin => ({
  name: 'initial-state-from-server',
  apply: 'serve',
  async transformIndexHtml(html, { originalUrl = '/' }) {
    const page = await fetch(new URL(originalUrl, server)).then(
      (response) => response.text(),
      () => '',
    );
    const state = /<script[^>]*\bid="?boot"?[^>]*>[\s\S]*?<\/script>/.exec(page)?.[0] ?? '';
    return html.replace('<!--boot-->', () => state);
  },
});

/** React Router without its warnings for developers, which its package gives to every bundler. */
export const productionRouter: Plugin = {
  name: 'production-router',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^react-router(\/dom)?$/ },
    async handler(source, importer, options) {
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved?.id.replace('/dist/development/', '/dist/production/');
    },
  },
};

/** For development: serves the service worker at the address of the build. */
export const serviceWorkerInDevelopment: Plugin = {
  name: 'service-worker-in-development',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use((req, _res, next) => {
      if (req.url === '/service-worker.js') req.url = '/service-worker/service-worker.ts';
      next();
    });
  },
};

/** What the browser reads of an endpoint object, except `body`, which its forms load. Of `reply` only whether there is one. */
const FOR_BROWSER = new Set(['method', 'path', 'reply', 'paged', 'idempotent', 'tags', 'invalidates']);

/** A property of the entries of a table that only the server reads, by name of the table. */
const UNUSED: Partial<Record<string, string>> = { FILTERS: 'schema', PAGES: 'description' };

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [child: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** Calls `visit` with the node and its descendants, outer ones first. Skips the inside of functions. */
const walk = (node: SyntaxNode, visit: (node: SyntaxNode) => void): void => {
  visit(node);
  if (/Function/.test(node.type)) return;
  for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, visit);
};

const isEndpointCall = ({ type, callee }: SyntaxNode): boolean =>
  type === 'CallExpression' && isNode(callee) && callee.name === 'endpoint';

/** Whether this builds a schema. Templates and spreads in it would count as effects. */
const isSchema = (node: SyntaxNode, code: string): boolean =>
  !/Function/.test(node.type) && !isEndpointCall(node) && /\bz\.\w+\(/.test(code.slice(node.start, node.end));

/** The first group of `pattern` wherever it matches in the TypeScript files of a folder, with the file. */
const findNames = async (folder: string, pattern: RegExp): Promise<{ name: string; file: string }[]> => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  const found = files.map(async (file) => {
    const source = await readFile(join(folder, file), 'utf8');
    return [...source.matchAll(pattern)].map(([, name = '']) => ({ name, file }));
  });
  return (await Promise.all(found)).flat();
};

/** The endpoints whose body a form checks, with their files. */
const findFormEndpoints = async (web: string, contract: string) => {
  const used = new Set((await findNames(web, /\bendpoint: (\w+)/g)).map(({ name }) => name));
  return (await findNames(contract, /^export const (\w+) = endpoint\(/gm)).filter(({ name }) => used.has(name));
};

interface Edit {
  start: number;
  end: number;
  text: string;
}

const listProperties = ({ properties = [] }: SyntaxNode) =>
  (properties as SyntaxNode[]).map(({ start, end, key }) => ({
    start,
    end,
    name: isNode(key) ? String(key.name) : '',
  }));

/** The edits that leave properties out of an object, each with the comma after it. */
const omit = (object: SyntaxNode, isOmitted: (name: string) => boolean): Edit[] =>
  listProperties(object).flatMap(({ start, end, name }, index, all) =>
    name !== '' && isOmitted(name) ? [{ start, end: all[index + 1]?.start ?? end, text: '' }] : [],
  );

/** Writes the numbers of LIMITS where they are used, so that no page loads those of others. */
export const inlineLimits = (): Plugin => ({
  name: 'inline-limits',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/(contract|web\/src)\/.+\.tsx?(\?bodies)?$/, code: 'LIMITS.' },
    handler: (code) =>
      code.replace(/\bLIMITS\.(\w+)/g, (all, name: keyof typeof LIMITS) => String(LIMITS[name] ?? all)),
  },
});

/** The module with the endpoints whose bodies forms check. */
const FORM_BODIES = 'virtual:form-bodies';
/** Loads it, with the words of its checks. */
const LOADER = 'virtual:load-bodies';
const WRITTEN_LOADER = `import { withCatalogs } from ${JSON.stringify(join(import.meta.dirname, '../src/lib/catalogs.ts'))};
export const loadBodies = () => withCatalogs(import('${FORM_BODIES}'), ['${OF_BODIES}']);`;
/** Marks the second copy of the contract, which has bodies and nothing else of endpoints. */
const BODIES = '?bodies';
/** The modules that know currency and language of the page: there is one of each. */
const KNOWS_PAGE = new Set(['./money.ts', './i18n.ts']);

/**
 * Leaves out of the contract what only the server uses: schemas of queries (also those of FILTERS) and replies, summaries and rate
 * limits. Marks the calls that build schemas as pure, so that unused schemas leave the bundle.
 *
 * A body that a form checks is loaded when the form is shown (`loadBody`), with the words of its checks, from a second copy of the contract. Otherwise zod
 * would be part of the first load: modules cannot be divided between chunks, and every page needs some endpoint.
 */
export const trimContract = (): Plugin => {
  let formEndpoints: ReturnType<typeof findFormEndpoints> | undefined;
  return {
    name: 'trim-contract',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved({ root }) {
      formEndpoints = findFormEndpoints(join(root, 'src'), join(root, '../contract'));
    },
    resolveId: { filter: { id: /^virtual:(form-bodies|load-bodies)$/ }, handler: (id) => id },
    load: {
      filter: { id: /^virtual:(form-bodies|load-bodies)$/ },
      async handler(id) {
        if (id === LOADER) return WRITTEN_LOADER;
        const contract = join(this.environment.config.root, '../contract');
        const lines = ((await formEndpoints) ?? []).map(
          ({ name, file }) => `export { ${name} } from ${JSON.stringify(join(contract, file) + BODIES)};`,
        );
        return lines.join('\n');
      },
    },
    transform: {
      filter: { id: /\/contract\/[^/]+\.ts(\?bodies)?$/ },
      async handler(code, id) {
        const isBodies = id.endsWith(BODIES);
        const checked = new Set((await formEndpoints)?.map(({ name }) => name));
        const edits: Edit[] = [];
        let loads = false;
        walk(this.parse(code) as unknown as SyntaxNode, (node) => {
          const { id: target, init, source } = node;
          if (isBodies && isNode(source) && !KNOWS_PAGE.has(String(source.value)))
            edits.push({ start: source.end - 1, end: source.end - 1, text: BODIES });
          if (node.type === 'CallExpression')
            edits.push({ start: node.start, end: node.start, text: '/* @__PURE__ */ ' });
          if (!isNode(init)) return;
          if (isSchema(init, code))
            edits.push(
              { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' },
              { start: init.end, end: init.end, text: '))()' },
            );
          const name = isNode(target) ? String(target.name) : '';
          const unused = UNUSED[name];
          if (unused)
            for (const { value } of init.properties as SyntaxNode[])
              if (isNode(value)) edits.push(...omit(value, (property) => property === unused));
          if (!isEndpointCall(init)) return;
          const [spec] = init.arguments as SyntaxNode[];
          if (!spec) return;
          const hasForm = checked.has(name);
          edits.push(
            ...omit(spec, (property) => (property === 'body' ? !hasForm : isBodies || !FOR_BROWSER.has(property))),
          );
          if (isBodies) return;
          for (const { start, end, name: property } of listProperties(spec)) {
            if (property === 'reply') edits.push({ start, end, text: 'reply: true' });
            if (property === 'body' && hasForm) {
              edits.push({ start, end, text: `loadBody: () => loadBodies().then((m) => m.${name}.body)` });
              loads = true;
            }
          }
        });
        const head = loads ? `import { loadBodies } from '${LOADER}';\n` : '';
        return { code: head + applyEdits(code, edits), map: null };
      },
    },
  };
};

/** Edits inside of a replaced part are dropped with it. */
const applyEdits = (code: string, edits: readonly Edit[]): string => {
  let edited = '';
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    edited += code.slice(at, start) + text;
    at = end;
  }
  return edited + code.slice(at);
};

const COMPRESSIBLE = /\.(js|css|svg|webmanifest|json|html|txt)$/;
/** Smaller files, in bytes, are not worth compressing. */
const MIN_SIZE = 1000;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const compressFile = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  if (bytes.length < MIN_SIZE) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
};

/** Writes a .br and a .gz file for each text file of the build, so that the server never compresses them. */
export const precompress = (): Plugin => {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const files = await readdir(outDir, { recursive: true });
      await Promise.all(
        files.filter((file) => COMPRESSIBLE.test(file)).map((file) => compressFile(join(outDir, file))),
      );
    },
  };
};

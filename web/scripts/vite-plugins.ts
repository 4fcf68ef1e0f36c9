import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

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

/** What the browser reads of an endpoint object, except `body`, which its forms read. Of `reply` only whether there is one. */
const FOR_BROWSER = new Set(['method', 'path', 'reply', 'paged', 'idempotent', 'tags', 'invalidates']);

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

/** The names that `pattern` finds in the TypeScript files of a folder. */
const findNames = async (folder: string, pattern: RegExp): Promise<string[]> => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = '']) => name));
};

/** The names before `.body` in the browser's code: among them are the endpoints whose body a form checks. */
const findNamesWithBody = async (web: string) => new Set(await findNames(web, /(\w+)\.body\b/g));

/** The limits that browser and contract mention. */
const findLimits = async (...folders: string[]) =>
  new Set((await Promise.all(folders.map((folder) => findNames(folder, /\bLIMITS\.(\w+)/g)))).flat());

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

/**
 * Leaves out of the contract what only the server uses: schemas of queries (also those of FILTERS), replies and of bodies that no form checks,
 * summaries, rate limits and other limits. Marks the calls that build schemas as pure, so that unused schemas leave the bundle.
 */
export const trimContract = (): Plugin => {
  let names: Promise<[bodies: Set<string>, limits: Set<string>]> | undefined;
  return {
    name: 'trim-contract',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/contract\/[^/]+\.ts$/ },
      async handler(code) {
        const web = join(this.environment.config.root, 'src');
        names ??= Promise.all([findNamesWithBody(web), findLimits(web, join(web, '../../contract'))]);
        const [checked, limits] = await names;
        const edits: Edit[] = [];
        walk(this.parse(code) as unknown as SyntaxNode, (node) => {
          if (node.type === 'CallExpression')
            edits.push({ start: node.start, end: node.start, text: '/* @__PURE__ */ ' });
          const { id, init } = node;
          if (!isNode(init)) return;
          if (isNode(id) && id.name === 'FILTERS')
            for (const { value } of init.properties as SyntaxNode[])
              if (isNode(value)) edits.push(...omit(value, (name) => name === 'schema'));
          if (isNode(id) && id.name === 'LIMITS') edits.push(...omit(init, (name) => !limits.has(name)));
          if (!isEndpointCall(init)) return;
          const isChecked = isNode(id) && checked.has(String(id.name));
          const [spec] = init.arguments as SyntaxNode[];
          if (!spec) return;
          edits.push(...omit(spec, (name) => (name === 'body' ? !isChecked : !FOR_BROWSER.has(name))));
          for (const { start, end, name } of listProperties(spec))
            if (name === 'reply') edits.push({ start, end, text: 'reply: true' });
        });
        return { code: applyEdits(code, edits), map: null };
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

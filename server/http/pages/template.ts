import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The built index.html, cut where the server puts something in, and the way from a page's source to its chunks. */
export interface Template {
  beforeHead: string;
  betweenHeadAndContent: string;
  betweenContentAndBoot: string;
  afterBoot: string;
  /** The elements that load the code which all pages share. */
  scripts: string;
  /** CSP sources of its inline scripts. */
  scriptHashes: string[];
  /** What a page's chunk loads beyond what index.html loads already. */
  assetsOf(page: string): { scripts: string[]; styles: string[] };
}

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}
type Manifest = Record<string, Chunk>;

// Where the pages were not built (Vite serves them in development) head and boot data are still there.
const UNBUILT =
  '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />\n<meta name="viewport" content="width=device-width, initial-scale=1" />\n' +
  '<!--head-->\n</head>\n<body>\n<div id="root"><!--content--></div>\n<!--boot-->\n</body>\n</html>\n';

const LOADS_CODE = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g;
const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g;

const hashScripts = (html: string): string[] =>
  [...html.matchAll(INLINE_SCRIPT)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );

function cut(html: string, marker: string): [before: string, after: string] {
  const at = html.indexOf(marker);
  if (at < 0) throw new Error(`index.html lacks ${marker}`);
  return [html.slice(0, at), html.slice(at + marker.length)];
}

function collectAssets(manifest: Manifest, page: string, html: string) {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    const url = `/${chunk?.file}`;
    if (!chunk || scripts.has(url)) return;
    scripts.add(url);
    for (const style of chunk.css ?? []) styles.add(`/${style}`);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  visit(page);
  const isNew = (url: string) => !html.includes(`"${url}"`);
  return { scripts: [...scripts].filter(isNew), styles: [...styles].filter(isNew) };
}

/** Reads the build once; a new build needs a new process. */
export async function readTemplate(directory: string): Promise<Template> {
  const built = await readFile(join(directory, 'index.html'), 'utf8').catch(() => UNBUILT);
  const scripts = (built.match(LOADS_CODE) ?? []).join('');
  const html = built.replace(LOADS_CODE, '');
  const manifest = await readFile(join(directory, '.vite/manifest.json'), 'utf8').then(
    (text) => JSON.parse(text) as Manifest,
    (): Manifest => ({}),
  );
  const [beforeHead, rest] = cut(html, '<!--head-->');
  const [betweenHeadAndContent, end] = cut(rest, '<!--content-->');
  const [betweenContentAndBoot, afterBoot] = cut(end, '<!--boot-->');
  const assets = new Map<string, ReturnType<typeof collectAssets>>();
  return {
    beforeHead,
    betweenHeadAndContent,
    betweenContentAndBoot,
    afterBoot,
    scripts,
    scriptHashes: hashScripts(html),
    assetsOf(page) {
      const known = assets.get(page) ?? collectAssets(manifest, `src/pages/${page}.tsx`, built);
      assets.set(page, known);
      return known;
    },
  };
}

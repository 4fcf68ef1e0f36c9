import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { ENGLISH } from '../../contract/english.ts';
import type { Area } from '../../contract/i18n.ts';
import { LANGUAGES, type Language } from '../../contract/languages.ts';
import { toPseudo } from '../../contract/pseudo.ts';

const ROOT = join(import.meta.dirname, '../..');
const AREAS = Object.keys(ENGLISH) as Area[];
/** What every page shows, or nearly every one. They are in the module of the language. */
const FIRST: readonly Area[] = ['shell', 'list'];
/** What only the server writes. */
export const OF_SERVER: readonly Area[] = ['category', 'head', 'mails', 'news', 'page', 'errors', 'mistakes', 'xPost'];
/** What checks of bodies say: a build loads it with the bodies (`trimContract`), not with the pages that know an endpoint. */
export const OF_BODIES: Area = 'fields';

const LAZY = AREAS.filter((area) => !FIRST.includes(area) && !OF_SERVER.includes(area));
/** The module that knows how to load the lazy areas of a language: the first load of a page without any needs none of it. */
const INDEX = 'areas';

const VIRTUAL = 'virtual:catalogs';
const TEXT_KEY = new RegExp(`['"\`](${AREAS.join('|')})\\.[a-z]\\w*`, 'g');
const STATIC_IMPORT = /^(?:import|export)\s(?!type\s)(?:[^;'"]*?\sfrom\s)?'(\.[^'"]+\.tsx?)'/gm;
/** Not the type of a module. */
const LAZY_IMPORT = /(?<!typeof )\bimport\('(\.[^']+\.tsx?)'\)/g;

/** A catalog, with the English text where the language has none yet. */
const readCatalog = (language: Language, area: Area): Record<string, string> => {
  const file = join(ROOT, 'messages', language, `${area}.json`);
  const own = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  return { ...toPseudo(ENGLISH[area], language), ...own };
};

const readSource = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The areas whose texts a module and its static imports name, besides the one that every page has and those that are `left` out. */
export const findAreas = (module: string, left: readonly Area[] = []): Area[] => {
  const areas = new Set<Area>();
  const seen = new Set<string>();
  const waiting = [module];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const source = readSource(file);
    for (const [, area] of source.matchAll(TEXT_KEY)) areas.add(area as Area);
    for (const [, path = ''] of source.matchAll(STATIC_IMPORT)) waiting.push(resolve(dirname(file), path));
  }
  return [...areas].filter((area) => LAZY.includes(area) && !left.includes(area)).sort();
};

const toLoader = (language: Language, area?: Area | typeof INDEX): string =>
  `() => import('${[VIRTUAL, language, area].filter(Boolean).join('/')}')`;

/** The module of a language: the texts of the first areas, and how to load the index of the others. */
const writeLanguage = (language: Language): string => {
  const first = Object.fromEntries(FIRST.map((area) => [area, readCatalog(language, area)]));
  return `export const first = ${JSON.stringify(first)};\nexport const loadIndex = ${toLoader(language, INDEX)};`;
};

const writeIndex = (language: Language): string =>
  `export const areas = { ${LAZY.map((area) => `${area}: ${toLoader(language, area)}`).join(', ')} };`;

/**
 * Loads the catalogs of messages/ by language and area, each as a chunk of its own. A lazy import waits also for the areas
 * whose texts its module names, so that what it renders never lacks its words.
 */
export const catalogs = (): Plugin => ({
  name: 'catalogs',
  enforce: 'pre',
  resolveId: { filter: { id: /^virtual:catalogs/ }, handler: (id) => id },
  load: {
    filter: { id: /^virtual:catalogs|\/contract\/english\.ts$/ },
    handler(id) {
      if (!id.startsWith(VIRTUAL)) return 'export const ENGLISH = {};';
      const [, language, area] = id.split('/') as [string, Language?, (Area | typeof INDEX)?];
      if (language === undefined)
        return `export const languages = { ${LANGUAGES.map((name) => `'${name}': ${toLoader(name)}`).join(', ')} };`;
      if (area === INDEX) return writeIndex(language);
      return area ? `export default ${JSON.stringify(readCatalog(language, area))};` : writeLanguage(language);
    },
  },
  transform: {
    filter: { id: /\/web\/src\/.+\.tsx?$/, code: "import('." },
    handler(code, id) {
      if (this.environment.name !== 'client') return;
      const left = this.environment.mode === 'build' ? [OF_BODIES] : [];
      let isChanged = false;
      const changed = code.replace(LAZY_IMPORT, (load, path: string) => {
        const areas = findAreas(resolve(dirname(id), path), left);
        if (areas.length === 0) return load;
        isChanged = true;
        return `withCatalogs(${load}, ${JSON.stringify(areas)})`;
      });
      if (!isChanged) return;
      const module = join(ROOT, 'web/src/lib/catalogs.ts');
      return { code: `import { withCatalogs } from ${JSON.stringify(module)};\n${changed}`, map: null };
    },
  },
  generateBundle() {
    if (this.environment.name !== 'client') return;
    // the server preloads the catalogs of the page that it renders, and the index that leads to them
    const pages = [...this.getModuleIds()].filter((id) => /\/web\/src\/pages\/[\w-]+\.tsx$/.test(id));
    const withIndex = (areas: readonly Area[]) => (areas.length > 0 ? [INDEX, ...areas] : []);
    const source = Object.fromEntries(
      pages.map((id) => [`src/pages/${basename(id)}`, withIndex(findAreas(id, [OF_BODIES]))]),
    );
    this.emitFile({ type: 'asset', fileName: '.vite/areas.json', source: JSON.stringify(source) });
  },
});

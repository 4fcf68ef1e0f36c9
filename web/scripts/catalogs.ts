import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { ENGLISH } from '../../contract/english.ts';
import type { Area } from '../../contract/i18n.ts';
import { LANGUAGES, type Language } from '../../contract/languages.ts';
import { toPseudo } from '../../contract/pseudo.ts';

const ROOT = join(import.meta.dirname, '../..');
const AREAS = Object.keys(ENGLISH) as Area[];
/** Every page shows it. */
const SHELL: Area = 'shell';
/** What only the server writes. */
const OF_SERVER: readonly Area[] = ['head'];

const LAZY = AREAS.filter((area) => area !== SHELL && !OF_SERVER.includes(area));

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

/** The areas whose texts a module and its static imports name, besides the one that every page has. */
export const findAreas = (module: string): Area[] => {
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
  return [...areas].filter((area) => LAZY.includes(area)).sort();
};

const toLoader = (language: Language, area?: Area): string =>
  `() => import('${[VIRTUAL, language, area].filter(Boolean).join('/')}')`;

/** The module of a language: the texts of the shell, and how to load those of the other areas. */
const writeLanguage = (language: Language): string => {
  const others = LAZY.map((area) => `${area}: ${toLoader(language, area)}`);
  return `export const shell = ${JSON.stringify(readCatalog(language, SHELL))};\nexport const areas = { ${others.join(', ')} };`;
};

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
      const [, language, area] = id.split('/') as [string, Language?, Area?];
      if (area && language) return `export default ${JSON.stringify(readCatalog(language, area))};`;
      if (language) return writeLanguage(language);
      return `export const languages = { ${LANGUAGES.map((name) => `'${name}': ${toLoader(name)}`).join(', ')} };`;
    },
  },
  transform: {
    filter: { id: /\/web\/src\/.+\.tsx?$/, code: "import('." },
    handler(code, id) {
      if (this.environment.name !== 'client') return;
      let isChanged = false;
      const changed = code.replace(LAZY_IMPORT, (load, path: string) => {
        const areas = findAreas(resolve(dirname(id), path));
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
    // the server preloads the catalogs of the page that it renders
    const pages = [...this.getModuleIds()].filter((id) => /\/web\/src\/pages\/[\w-]+\.tsx$/.test(id));
    const source = Object.fromEntries(pages.map((id) => [`src/pages/${basename(id)}`, findAreas(id)]));
    this.emitFile({ type: 'asset', fileName: '.vite/areas.json', source: JSON.stringify(source) });
  },
});

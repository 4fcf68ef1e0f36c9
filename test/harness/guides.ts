import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

export interface Guide {
  file: string;
  text: string;
  /** Code spans, and lines of code blocks without comments; no diagrams. */
  code: string[];
  scripts: string[];
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```/gm;
const toLines = (block: string): string[] =>
  block
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#\s.*$/, '').trim())
    .filter(Boolean);

const readGuide = (file: string): Guide => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const blocks = [...text.matchAll(FENCE)].map(([, language = '', body = '']) => ({ language, body }));
  const spans = [...text.replace(FENCE, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return {
    file,
    text,
    code: [...blocks.flatMap(({ language, body }) => (language === 'mermaid' ? [] : toLines(body))), ...spans],
    scripts: blocks.filter(({ language }) => language === 'sh').map(({ body }) => body),
  };
};

const readmesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'README.md')
    .map((path) => join(folder, path));

export const readGuides = (): Guide[] =>
  [...['.', 'docs', 'docs/adr'].flatMap(markdownIn), ...['helm', 'server', 'test', 'web/src'].flatMap(readmesIn)].map(
    readGuide,
  );

const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (text: string): string[] =>
  [...text.replace(FENCE, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => toAnchor(heading));

export const findDeadLinks = ({ file, text }: Guide): string[] =>
  [...text.replace(FENCE, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const full = path === '' ? join(ROOT, file) : resolve(ROOT, dirname(file), path);
      if (!existsSync(full)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(full, 'utf8')).includes(anchor);
    });

const FOLDERS = 'cli|contract|deploy|docs|helm|local|migrations|seeds|server|test|web';
const FOLDER_PATHS = new RegExp(`(?<![\\w./:-])(?:${FOLDERS})/[\\w./-]*`, 'g');
const MADE = /^(deploy\/compose\/secrets|web\/dist)(\/|$)/;

export const findMissingFiles = ({ code }: Guide): string[] => {
  const paths = code.flatMap((line) => line.match(FOLDER_PATHS) ?? []).map((path) => path.replace(/[.,:;]+$/, ''));
  const overlays = code.flatMap((line) => line.match(/(?<![\w./])compose\.[\w-]+\.yml/g) ?? []);
  const values = code.flatMap((line) => line.match(/(?<![\w./])[\w-]+-values\.yaml/g) ?? []);
  return [
    ...paths,
    ...overlays.map((name) => `deploy/compose/${name}`),
    ...values.filter((name) => name !== 'my-values.yaml').map((name) => `helm/tradepost/ci/${name}`),
  ].filter((path) => !MADE.test(path) && !existsSync(join(ROOT, path)));
};

export const callsOf = ({ code }: Pick<Guide, 'code'>, program: string): string[] =>
  code.flatMap((line) =>
    [...line.matchAll(new RegExp(`(?:^|\\s|/)${program}(?=\\s|$)([^|;&>]*)`, 'g'))].map(([, rest = '']) => rest.trim()),
  );

const FILE_NAME = /^[\w<>.-]+\.(tsx?|sh|ya?ml|html|tpl|md)$/;
const CODE_NAME = /^([a-z]+[A-Z]\w*|[A-Z][A-Z_]{2,}|[A-Z][a-z]+[A-Z]\w*)$/;
const MORE_THAN_A_FOLDER = /^[\w-]+\/[\w-]+\.tsx?$/;

/** Spans that name a file without its folder, or something in code, that is nowhere. `files`: paths; `sources`: all their texts. */
export const findMissingNames = (
  { code }: Pick<Guide, 'code'>,
  files: readonly string[],
  sources: string,
): string[] => {
  const words = new Set(sources.match(/[A-Za-z_]\w+/g));
  return code.filter((name) => {
    if (FILE_NAME.test(name)) return !name.includes('<') && !files.some((path) => basename(path) === name);
    if (MORE_THAN_A_FOLDER.test(name)) return !files.some((path) => path.endsWith(`/${name}`));
    return CODE_NAME.test(name) && !words.has(name);
  });
};

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { speaking, type Texts, t } from '../../../contract/i18n.ts';
import type { InitialState, SiteConfig } from '../../../contract/initial-state.ts';
import { getDirection, type Language } from '../../../contract/languages.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { PageId } from '../../../contract/pages.ts';
import type { Me } from '../../../contract/user.ts';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import { toLogoUrl } from '../../features/brand/repository.ts';
import { type Site, sayBrand, toManifestUrl } from '../../features/brand/site.ts';
import { listTextPages } from '../../features/pages/texts.ts';
import { DEFAULT_SETTINGS, readSettings } from '../../features/settings/repository.ts';
import { listUsersByIds } from '../../features/users/repository.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { embedJson, escapeHtml } from '../../lib/html.ts';
import type { Logger } from '../../observability/log.ts';
import { link, renderHead } from './head.ts';
import type { BuiltPage, PageData } from './pages.ts';

export interface RenderInput {
  page: Pick<BuiltPage, 'id' | 'head'>;
  initialState: InitialState;
  content: string;
  nonce: string;
}

export const toInitialState = (
  env: SiteConfig,
  me: Me | null | undefined,
  replies: PageData['data'],
  missing?: string,
): InitialState => ({
  env,
  ...(me !== undefined && { me }),
  data: Object.fromEntries(replies.filter((reply) => reply !== undefined).map(({ url, cached }) => [url, cached])),
  ...(missing && { missing: [missing] }),
});

const ICON = /href="\/(icon-192\.png|apple-touch-icon\.png)"/g;

/** The links of index.html to the icons, to those of the brand, and to the manifest in the language of the page. */
const withIcons = (html: string, look: string, language: Language): string => {
  const own = look
    ? html.replace(/<link rel="icon" href="\/icon\.svg"[^<>]*>/, '').replace(ICON, `href="/$1?v=${look}"`)
    : html;
  return own.replace('href="/manifest.webmanifest"', `href="${escapeHtml(toManifestUrl(language, look))}"`);
};

const renderNoScript = (supportEmail: string): string => {
  const text = escapeHtml(t('shell.noScript', { email: supportEmail }))
    .replace('&lt;ads&gt;', '<a class="text-primary underline" href="/">')
    .replace('&lt;/ads&gt;', '</a>');
  return `<noscript><p class="container-page py-16">${text}</p></noscript>`;
};

/**
 * The complete HTML document. With content, the script elements wait in the template `#late` until the first paint
 * (see the last script of index.html); without content they come first. A page that begins with a photo has its styles in
 * itself, because on a phone one more request delays the first paint as much as ten photos (docs/PAGE-SPEED.md).
 */
export function renderPage(
  template: Template,
  { brand, config, style, look }: Site,
  { page, initialState, content, nonce }: RenderInput,
): string {
  const { language } = initialState.env;
  const scripts = template.getScripts(page.id, language);
  const preloads = scripts.map((href) => link('modulepreload', { crossorigin: 'anonymous', href }));
  const code = template.scripts + preloads.join('');
  const { linked, inline } = template.styles;
  const stylesheet = page.head.lcpImage && inline ? `<style nonce="${nonce}">${inline}</style>` : linked;
  return [
    // read by the script that chooses the theme
    template.beforeHead.replace(
      '<html lang="en"',
      `<html lang="${language}"${getDirection(language) === 'rtl' ? ' dir="rtl"' : ''} data-theme="${brand.theme}"`,
    ),
    renderHead(page.head, config, { look, scripts: content ? '' : code, stylesheet, style, nonce }),
    withIcons(template.betweenHeadAndContent, look, language),
    content,
    template.betweenContentAndBoot,
    `<script type="application/json" id="boot">${embedJson(initialState)}</script>`,
    content
      ? `<template id="late">${code}</template>`
      : speaking(readTexts(language), () => renderNoScript(initialState.env.supportEmail)),
    template.afterBoot,
  ].join('');
}

export interface Template {
  beforeHead: string;
  betweenHeadAndContent: string;
  betweenContentAndBoot: string;
  afterBoot: string;
  scripts: string;
  scriptHashes: string[];
  /** The stylesheet as an element that loads it, and its text. */
  styles: { linked: string; inline: string };
  getScripts(page: PageId, language: Language): string[];
}

interface Chunk {
  file: string;
  imports?: string[];
}
type Manifest = Record<string, Chunk>;

// Without a build (in development Vite serves the pages) responses still contain the head and the initial state.
const UNBUILT =
  '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />\n<meta name="viewport" content="width=device-width, initial-scale=1" />\n' +
  '<!--head-->\n</head>\n<body>\n<div id="root"><!--content--></div>\n<!--boot-->\n</body>\n</html>\n';

const LOADS_STYLES = /<link rel="stylesheet"[^<>]*>/;
const LOADS_CODE = /<script type="module"[^<>]*><\/script>|<link rel="modulepreload"[^<>]*>/g;
const INLINE_SCRIPT = /<script>([^<]*(?:<(?!\/script>|script>)[^<]*)*)<\/script>/g;

const hashScripts = (html: string): string[] =>
  [...html.matchAll(INLINE_SCRIPT)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );

function cut(html: string, marker: string): [before: string, after: string] {
  const at = html.indexOf(marker);
  if (at < 0) throw new Error(`index.html lacks ${marker}`);
  return [html.slice(0, at), html.slice(at + marker.length)];
}

/** The catalogs that each page needs besides that of its language (web/scripts/catalogs.ts). */
type Areas = Record<string, string[]>;

/** The catalogs of a page, as the manifest names them. Pseudo-languages are computed and have the same names. */
const listCatalogs = (areas: Areas, page: string, language: Language): string[] =>
  ['', ...(areas[page] ?? []).map((area) => `/${area}`)].map((area) => `../virtual:catalogs/${language}${area}`);

function collectScripts(manifest: Manifest, entries: readonly string[], html: string): string[] {
  const scripts = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    const url = `/${chunk?.file}`;
    if (!chunk || scripts.has(url)) return;
    scripts.add(url);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  entries.forEach(visit);
  return [...scripts].filter((url) => !html.includes(`"${url}"`));
}

export async function readTemplate(directory: string): Promise<Template> {
  const built = await readFile(join(directory, 'index.html'), 'utf8').catch(() => UNBUILT);
  const scripts = (built.match(LOADS_CODE) ?? []).join('');
  const [linked = ''] = LOADS_STYLES.exec(built) ?? [];
  const [, stylesheet] = /href="\/([^"]+)"/.exec(linked) ?? [];
  const inline = stylesheet ? await readFile(join(directory, stylesheet), 'utf8') : '';
  const html = built.replace(LOADS_CODE, '').replace(linked, '');
  const readMade = <T extends object>(name: string) =>
    readFile(join(directory, '.vite', name), 'utf8').then(
      (text) => JSON.parse(text) as T,
      () => ({}) as T,
    );
  const [manifest, areas] = await Promise.all([readMade<Manifest>('manifest.json'), readMade<Areas>('areas.json')]);
  const [beforeHead, rest] = cut(html, '<!--head-->');
  const [betweenHeadAndContent, end] = cut(rest, '<!--content-->');
  const [betweenContentAndBoot, afterBoot] = cut(end, '<!--boot-->');
  const assets = new Map<string, string[]>();
  return {
    beforeHead,
    betweenHeadAndContent,
    betweenContentAndBoot,
    afterBoot,
    scripts,
    scriptHashes: hashScripts(html),
    styles: { linked, inline },
    getScripts(page, language) {
      const key = `${language} ${page}`;
      const module = `src/pages/${page}.tsx`;
      const known =
        assets.get(key) ?? collectScripts(manifest, [module, ...listCatalogs(areas, module, language)], built);
      assets.set(key, known);
      return known;
    },
  };
}

/**
 * The content security policy. Scripts: our files, and the inline scripts of index.html by hash. Styles: our files,
 * and elements with this response's nonce (Radix's scroll lock writes one). `style-src-attr` allows inline style
 * attributes, because they position pop-ups.
 */
export function toPagePolicy(config: Config, scriptHashes: readonly string[], nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes.join(' ')}`.trimEnd(),
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(config.isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** The seller and the buyer of the sample, whom the development panel offers. */
const TEST_USER_IDS = ['1001', '1002'];

export async function readTestUsers({ config, db }: AppContext): Promise<SiteConfig['testUsers']> {
  if (config.isProduction || !config.authTestUsers) return [];
  const rows = await listUsersByIds(db, TEST_USER_IDS);
  return rows.map((row) => ({ id: row.id, username: row.username ?? '', displayName: row.display_name }));
}

export const toFixedSiteConfig = ({ config, brand, logo }: Site, language: Language): SiteConfig => ({
  language,
  languages: config.locales,
  siteName: brand.name,
  logo: toLogoUrl(logo),
  headline: sayBrand(brand, 'headline', language),
  tagline: sayBrand(brand, 'tagline', language),
  footerLine: sayBrand(brand, 'footerLine', language),
  isBeta: brand.isBeta,
  links: brand.links,
  mode: config.nodeEnv,
  testUsers: [],
  xPosting: config.xPosting,
  siteXHandle: config.siteXHandle ?? '',
  supportEmail: config.supportEmail,
  legalEmail: config.legalEmail,
  maxImages: LIMITS.images,
  distanceUnit: DEFAULT_SETTINGS.distanceUnit,
  hasImprint: false,
  currency: config.currency,
});

export async function readSiteConfig(appContext: AppContext, site: Site, language: Language): Promise<SiteConfig> {
  const [settings, testUsers, pages] = await Promise.all([
    readSettings(appContext.reads),
    readTestUsers(appContext),
    listTextPages(appContext),
  ]);
  const { maxImagesPerAd: maxImages, distanceUnit } = settings;
  const hasImprint = pages.includes('imprint');
  return { ...toFixedSiteConfig(site, language), testUsers, maxImages, distanceUnit, hasImprint };
}

export type RenderContent = (url: string, initialState: InitialState) => Promise<string>;

interface ServerBundle {
  renderContent(url: string, initialState: InitialState, texts: Texts): Promise<string>;
}

/**
 * Loads the server bundle with the first page, because React and the pages take memory. If a page fails to render, the
 * error is logged and the page is sent without content; the client then renders it.
 */
export function createPageRenderer(file: string, log: Logger): RenderContent {
  if (!existsSync(file)) return async () => '';
  let bundle: Promise<ServerBundle> | undefined;
  return async (url, initialState) => {
    try {
      bundle ??= import(pathToFileURL(file).href) as Promise<ServerBundle>;
      const { renderContent } = await bundle;
      return await renderContent(url, initialState, readTexts(initialState.env.language));
    } catch (err) {
      log.error({ err, address: url }, 'page content not rendered');
      return '';
    }
  };
}

import { extname } from 'node:path';
import type { Context, Middleware } from 'koa';
import { getDirection, type Language } from '../../contract/languages.ts';
import type { AppContext } from '../app-context.ts';
import { readLogo } from '../features/brand/repository.ts';
import { getSite, type Site, sayBrand } from '../features/brand/site.ts';
import { LOOK_FILES, type Look } from '../integrations/images/logo-files.ts';
import { readLanguage } from './request/language.ts';
import { type CachedResponse, sendCachedResponse, toCachedResponse } from './response/cached-response.ts';

type LookFile = (typeof LOOK_FILES)[number];

const MANIFEST = '/manifest.webmanifest';
const TYPES: Record<string, string> = { '.png': 'image/png', '.jpg': 'image/jpeg', '.ico': 'image/x-icon' };

const isLookFile = (name: string): name is LookFile => LOOK_FILES.some((file) => file === name);

const BUILT_IN_ICONS = [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' }];

const toManifest = ({ brand, palette, look }: Site, language: Language): string => {
  const toIcon = (file: LookFile, sizes: string, purpose?: string) => ({
    src: look ? `/${file}?v=${look}` : `/${file}`,
    sizes,
    type: 'image/png',
    purpose,
  });
  return JSON.stringify({
    name: brand.name,
    short_name: brand.shortName || brand.name,
    description: sayBrand(brand, 'tagline', language),
    lang: language,
    dir: getDirection(language),
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: palette.light.primary,
    icons: [
      ...(look ? [] : BUILT_IN_ICONS),
      toIcon('icon-192.png', '192x192'),
      toIcon('icon-512.png', '512x512'),
      toIcon('icon-maskable-512.png', '512x512', 'maskable'),
    ],
  });
};

/**
 * Serves the manifest, and logo, icons and share picture of a brand at the addresses of those of the build, which are served
 * without one. A page names their version, and browsers keep what has the version that is asked for.
 */
export function serveBrandFiles(appContext: AppContext): Middleware {
  let made: { look: string; files: Promise<Look> } | undefined;
  const makeFiles = ({ look, logo, palette }: Site): Promise<Look> => {
    if (made?.look === look) return made.files;
    const files = (async () => {
      const stored = logo && (await readLogo(appContext.db));
      return appContext.images.makeLook({
        logo: stored && Buffer.from(stored.png, 'base64'),
        color: palette.light.primary,
      });
    })();
    made = { look, files };
    // the next request tries again
    files.catch(() => {
      made = undefined;
    });
    return files;
  };

  async function create(
    site: Site,
    { path, query: { v: version } }: Context,
    language: Language,
  ): Promise<CachedResponse> {
    const isVersion = version === site.look || (site.logo !== null && version === site.logo.sha256.slice(0, 12));
    const caching = isVersion ? 'public, max-age=31536000, immutable' : 'public, no-cache';
    if (path === MANIFEST) {
      const headers = {
        'Content-Type': 'application/manifest+json; charset=utf-8',
        'Cache-Control': 'public, no-cache',
      };
      return toCachedResponse(200, headers, toManifest(site, language));
    }
    const file = (await makeFiles(site))[path.slice(1) as LookFile];
    const headers = {
      'Content-Type': TYPES[extname(path)]!,
      'Cache-Control': caching,
      // mails show it
      'Cross-Origin-Resource-Policy': 'cross-origin',
    };
    return { ...toCachedResponse(200, headers, Buffer.from(file)), isCompressible: false };
  }

  return async function serveBrandFile(ctx, next) {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || (ctx.path !== MANIFEST && !isLookFile(ctx.path.slice(1)))) return next();
    const site = await getSite(appContext).read();
    if (ctx.path !== MANIFEST && site.look === '') return next();
    const { locales } = appContext.config;
    const named = locales.find((language) => language === ctx.query.language);
    await sendCachedResponse(ctx, await create(site, ctx, named ?? readLanguage(ctx.req, appContext.config)));
  };
}

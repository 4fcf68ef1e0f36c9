import { hash } from 'node:crypto';
import { BUILT_IN_WORDS } from '../../../contract/built-in-words.ts';
import { DEFAULT_BRAND } from '../../../contract/default-brand.ts';
import { speaking } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import { derivePalette, type Palette, type Tones } from '../../../contract/palette.ts';
import { perProcess } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import type { Db } from '../../db/pools.ts';
import { watchStored } from '../../db/watch.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { type LogoVersion, type OwnBrand, readBrand, readLogoVersion, toDefaultBrand } from './repository.ts';

/** The configuration with what the brand says instead. */
export interface Site {
  brand: OwnBrand;
  config: Config;
  palette: Palette;
  /** The rules that override tokens.css; empty for the default accent. */
  style: string;
  logo: LogoVersion | null;
  /** Changes with the brand. */
  version: string;
  /** Names the icons that are made for this brand; empty for the files of the build. */
  look: string;
}

const BUILT_IN_NAME = 'Tradepost';

const toRule = (selector: string, tones: Tones): string =>
  `${selector}{${Object.entries(tones)
    .map(([name, hex]) => `--${name}:${hex}`)
    .join(';')}}`;

const toVersion = (parts: unknown): string => hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12);

const toSite = (brand: OwnBrand, logo: LogoVersion | null, config: Config): Site => {
  const palette = derivePalette(brand.accent);
  // the selectors outweigh those of tokens.css, wherever the style sheet is
  const style =
    brand.accent === DEFAULT_BRAND.accent
      ? ''
      : toRule(':root:root', palette.light) + toRule(':root.dark', palette.dark);
  // the share picture of the build says its name
  const isBuiltIn = logo === null && style === '' && brand.name === BUILT_IN_NAME;
  const look = isBuiltIn ? '' : toVersion([logo?.sha256, brand.accent, brand.name]);
  const version = toVersion([logo?.sha256, brand]);
  return { brand, config: { ...config, siteName: brand.name }, palette, style, logo, version, look };
};

export const readSite = async ({ db, config }: { db: Db; config: Config }): Promise<Site> =>
  toSite(await readBrand(db, config), await readLogoVersion(db), config);

/** The site as it is stored, which every replica keeps in memory for its pages. */
export const getSite = perProcess((root) =>
  watchStored(root.events, 'brand', () => readSite(root), toSite(toDefaultBrand(root.config), null, root.config)),
);

type Words = Pick<OwnBrand, 'headline' | 'tagline' | 'footerLine' | 'translations'>;

/** A sentence of the brand in a language, as administrators wrote it there; else the built-in one, or that of the first language. */
export const sayBrand = (brand: Words, name: Exclude<keyof Words, 'translations'>, language: Language): string => {
  const own = brand.translations.find((one) => one.language === language)?.[name];
  if (own) return own;
  return brand[name] === DEFAULT_BRAND[name] ? speaking(readTexts(language), () => BUILT_IN_WORDS[name]) : brand[name];
};

/** Browsers fetch the manifest without cookies, so its address names the language of the page. */
export const toManifestUrl = (language: Language, look: string): string =>
  `/manifest.webmanifest?${new URLSearchParams({ language, ...(look && { v: look }) })}`;

import type { Brand } from '../../../contract/brand.ts';
import { DEFAULT_BRAND } from '../../../contract/default-brand.ts';
import type { Config } from '../../config/load.ts';
import { publish } from '../../db/events.ts';
import type { Db, Trx } from '../../db/pools.ts';

/** What has a default of its own; the home country is a setting of the platform. */
export type OwnBrand = Omit<Brand, 'homeCountry'>;

const BRAND_KEY = 'brand';

export const toDefaultBrand = ({ siteName }: Pick<Config, 'siteName'>): OwnBrand => ({
  ...DEFAULT_BRAND,
  name: siteName,
  translations: [],
});

const LOGO_KEY = 'brand-logo';

/** A PNG in base64, which fits into the row. */
export interface StoredLogo {
  png: string;
  sha256: string;
}

/** Names the logo, without its bytes. */
export type LogoVersion = Pick<StoredLogo, 'sha256'>;

export const readLogoVersion = (db: Db): Promise<LogoVersion | null> =>
  db('settings')
    .where({ key: LOGO_KEY })
    .first(db.raw("value->>'sha256' as sha256"))
    .then((row) => row ?? null);

export const readLogo = async (db: Db): Promise<StoredLogo | null> => {
  const row = await db<{ key: string; value: StoredLogo }>('settings').where({ key: LOGO_KEY }).first('value');
  return row?.value ?? null;
};

export const writeLogo = async (trx: Trx, logo: StoredLogo | null, userId: string | null): Promise<void> => {
  await trx('settings').where({ key: LOGO_KEY }).delete();
  if (logo) await trx('settings').insert({ key: LOGO_KEY, value: JSON.stringify(logo), updated_by: userId });
  await publish(trx, 'brand', {});
};

/** Changes with the logo: browsers may keep what is at this address. */
export const toLogoUrl = (logo: LogoVersion | null): string | null => logo && `/logo.png?v=${logo.sha256.slice(0, 12)}`;

export const readBrand = async (db: Db, config: Pick<Config, 'siteName'>): Promise<OwnBrand> => {
  const row = await db<{ key: string; value: Partial<OwnBrand> }>('settings').where({ key: BRAND_KEY }).first('value');
  return { ...toDefaultBrand(config), ...row?.value };
};

/** Stores what differs from the defaults: the rest follows them. */
export const writeBrand = async (
  trx: Trx,
  brand: OwnBrand,
  config: Pick<Config, 'siteName'>,
  userId: string | null,
): Promise<void> => {
  const defaults: Record<string, unknown> = toDefaultBrand(config);
  const isOwn = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(defaults[name]);
  const own = Object.fromEntries(Object.entries(brand).filter(isOwn));
  await trx('settings').where({ key: BRAND_KEY }).delete();
  if (Object.keys(own).length > 0)
    await trx('settings').insert({ key: BRAND_KEY, value: JSON.stringify(own), updated_by: userId });
  await publish(trx, 'brand', {});
};

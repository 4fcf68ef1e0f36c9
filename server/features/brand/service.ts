import { createHash, hash } from 'node:crypto';
import type { Brand, BrandInput, BrandTranslation, VersionedBrand } from '../../../contract/brand.ts';
import type { AppContext } from '../../app-context.ts';
import type { Db } from '../../db/pools.ts';
import { inTransaction, withDatabase } from '../../db/transaction.ts';
import { conflict, forbidden } from '../../errors.ts';
import { toLocaleOf } from '../../lib/locales.ts';
import { type Actor, getUserId, isAdmin } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockSettings, readSettings, writeSettings } from '../settings/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import {
  readBrand,
  readLogo,
  type StoredLogo,
  toDefaultBrand,
  toLogoUrl,
  writeBrand,
  writeLogo,
} from './repository.ts';

type Config = AppContext['config'];

const readWhole = async (db: Db, config: Config): Promise<Brand> => {
  const { homeCountry } = await readSettings(db);
  return { ...(await readBrand(db, config)), homeCountry };
};

const withVersion = (brand: Brand, logo: StoredLogo | null): VersionedBrand => {
  const text = JSON.stringify(Object.entries(brand).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...brand,
    logo: toLogoUrl(logo),
    version: createHash('sha256').update(text).digest('base64url').slice(0, 16),
  };
};

export const getBrand = async ({ db, config }: AppContext, actor: Actor): Promise<VersionedBrand> => {
  if (!isAdmin(actor)) throw forbidden();
  return withVersion(await readWhole(db, config), await readLogo(db));
};

const listChanged = (before: Brand, after: Brand): (keyof Brand)[] =>
  (Object.keys(after) as (keyof Brand)[]).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));

const pick = (brand: Brand, keys: readonly (keyof Brand)[]) => Object.fromEntries(keys.map((key) => [key, brand[key]]));

interface Change {
  action: 'brand.update' | 'brand.reset';
  change: (before: Brand) => Brand;
  version?: string | undefined;
}

/** Stores, publishes and records what the change makes different. */
const changeBrand = (
  { db, config }: AppContext,
  actor: Actor,
  { action, change, version }: Change,
  { requestId, reason }: AuditContext,
): Promise<VersionedBrand> =>
  inTransaction(db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await lockSettings(trx);
    const before = await readWhole(trx, config);
    const logo = await readLogo(trx);
    if (version !== undefined && version !== withVersion(before, logo).version) throw conflict('errors.brandChanged');
    const after = change(before);
    const changed = listChanged(before, after);
    if (changed.length === 0) return withVersion(before, logo);
    const { homeCountry, ...brand } = after;
    await writeBrand(trx, brand, config, getUserId(actor));
    if (changed.includes('homeCountry'))
      await writeSettings(trx, { ...(await readSettings(trx)), homeCountry }, getUserId(actor));
    const details = { before: pick(before, changed), after: pick(after, changed), reason };
    await recordAudit(trx, actor, { action, details, requestId });
    return withVersion(after, logo);
  });

/** Those that say something, in languages of the marketplace. @throws {AppError} invalid */
const readTranslations = (config: Config, translations: readonly BrandTranslation[]): BrandTranslation[] => {
  const byLanguage = new Map(translations.map((one) => [toLocaleOf(config, one.language), one]));
  return [...byLanguage.values()].filter(({ language: _, ...words }) => Object.values(words).some(Boolean));
};

/** @throws {AppError} conflict when the brand has changed since `version`; invalid for a language that is not spoken */
export const updateBrand = (
  ctx: AppContext,
  actor: Actor,
  { version, translations, ...fields }: BrandInput,
  audit: AuditContext = {},
): Promise<VersionedBrand> => {
  const given = { ...fields, ...(translations && { translations: readTranslations(ctx.config, translations) }) };
  const change = (before: Brand) => ({ ...before, ...given }) as Brand;
  return changeBrand(ctx, actor, { action: 'brand.update', change, version }, audit);
};

/** Stores, publishes and records a logo, or its removal. */
const changeLogo = (
  { db, config }: AppContext,
  actor: Actor,
  logo: StoredLogo | null,
  { requestId, reason }: AuditContext,
): Promise<VersionedBrand> =>
  inTransaction(db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await lockSettings(trx);
    const before = await readLogo(trx);
    if (before?.sha256 !== logo?.sha256) {
      await writeLogo(trx, logo, getUserId(actor));
      const details = { before: before?.sha256 ?? null, after: logo?.sha256 ?? null, reason };
      await recordAudit(trx, actor, { action: 'brand.logo', details, requestId });
    }
    return withVersion(await readWhole(trx, config), logo);
  });

/** `readFile` is called once the actor may change the brand. @throws {AppError} invalid_image, those of images.ts */
export const setLogo = async (
  ctx: AppContext,
  actor: Actor,
  readFile: () => Promise<Uint8Array>,
  audit: AuditContext = {},
): Promise<VersionedBrand> => {
  if (!isAdmin(actor)) throw forbidden();
  const png = await ctx.images.processLogo(await readFile());
  return changeLogo(ctx, actor, { png: png.toString('base64'), sha256: hash('sha256', png) }, audit);
};

export const removeLogo = (ctx: AppContext, actor: Actor, audit: AuditContext = {}): Promise<VersionedBrand> =>
  changeLogo(ctx, actor, null, audit);

/** Brings all back to the defaults but the home country, which is a setting of the platform. */
export const resetBrand = (ctx: AppContext, actor: Actor, audit: AuditContext = {}): Promise<VersionedBrand> =>
  inTransaction(ctx.db, async (trx) => {
    const inside = withDatabase(ctx, trx);
    await removeLogo(inside, actor, audit);
    const change = (before: Brand) => ({ ...before, ...toDefaultBrand(ctx.config) });
    return changeBrand(inside, actor, { action: 'brand.reset', change }, audit);
  });

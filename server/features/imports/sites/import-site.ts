import type { AppContext } from '../../../app-context.ts';
import type { UserRow } from '../../../db/rows.ts';
import { AppError } from '../../../errors.ts';
import type { UserActor } from '../../../policy.ts';
import { findNamedPlaces } from '../../places/repository.ts';
import { resolveCategory } from '../check-ad.ts';
import { FileRefused, type TakenFile, takeFiles } from '../photos.ts';
import type { ImportedAd, Problem } from '../reading/imported-ad.ts';
import { parseMediaPath } from '../reading/media-url.ts';
import { type FilesOwner, findRunning, listAdsWithDueFiles } from '../repository.ts';
import { runImport } from '../run.ts';
import { type ImportSummary, previewAds, readImport, readMarket } from '../service.ts';
import { listOwners, listSiteAds, type OwnerCount } from './dump-repository.ts';
import type { SiteMapping } from './mapping.ts';
import { findMediaFile, readMediaFile } from './media.ts';
import type { OpenSite } from './read-site.ts';
import type { ReadAd } from './site.ts';

const PAGE = 200;
const PEOPLE = 500;
/** Ads whose photos are processed at a time. */
const AT_ONCE = 4;

async function* pageOwners({ trx }: OpenSite): AsyncGenerator<OwnerCount[]> {
  for (let after: string | undefined; ; ) {
    const owners = await listOwners(trx, after, PEOPLE);
    if (owners.length > 0) yield owners;
    after = owners.at(-1)?.owner;
    if (owners.length < PEOPLE) return;
  }
}

/** What is to be decided about a site, with what was decided before. */
export const suggestMapping = async (
  ctx: AppContext,
  open: OpenSite,
  before: SiteMapping,
): Promise<Required<SiteMapping>> => {
  const { site, dump, reading } = open;
  const market = await readMarket(ctx);
  const categories: Record<string, string> = {};
  for (const { value } of await dump.count(site.ads, site.category)) {
    const words = reading.categories.get(value) ?? [];
    const chosen = before.categories ?? {};
    const [path] = words;
    if (path !== undefined) categories[path] = resolveCategory(words, market, { categories: chosen }) ?? '';
  }
  const sellers: NonNullable<SiteMapping['sellers']> = {};
  for await (const owners of pageOwners(open)) {
    const people = await site.findPeople(
      dump,
      owners.map(({ owner }) => owner),
    );
    for (const { owner, ads } of owners) {
      const { name, email, isBlocked } = people.get(owner)!;
      const as = before.sellers?.[owner]?.as ?? '';
      if (!isBlocked) sellers[owner] = { name, email, ads, as };
    }
  }
  return { language: reading.language, categories, sellers };
};

export interface SiteChoices {
  fileName: string;
  source: string;
  mapping: SiteMapping;
  truncate: boolean;
  /** The folder with the pictures. Absent: photos wait for a run that has it. */
  media: string | undefined;
  onProgress?: (ads: number) => void;
}

/** A seller here, and who they are in the dump. `owners` undefined: everybody there. */
export interface SiteSeller {
  user: UserRow;
  owners: readonly string[] | undefined;
}

export interface SitePreview {
  imports: { user: UserRow; summary: ImportSummary }[];
  /** Runs that an earlier command began and did not end. They ended before anything else, and this is what they did in all. */
  finished: { sellers: number; created: number; updated: number };
  /** Those whose ads cannot be imported, and why. */
  refused: { user: UserRow; reason: string }[];
  /** Ads of people without an account here, and how many such people there are. */
  unmapped: { ads: number; people: number };
  /** Pictures in the folder, the first ones that are not there, and how many are not. */
  photos: { found: number; missing: TakenFile[]; count: number };
}

const UNREADABLE: Problem = {
  column: 'description',
  what: { key: 'mistakes.lostCharacters' },
  how: { key: 'mistakes.makeDump' },
};

const checkText = (ad: ImportedAd): ImportedAd =>
  /\uFFFD/.test(ad.title + ad.description + ad.location) ? { ...ad, problems: [...ad.problems, UNREADABLE] } : ad;

const SHOWN = 20;

/** Looks whether the pictures of ads are there. */
const checkPhotos = async (
  ads: readonly ImportedAd[],
  media: string | undefined,
  photos: SitePreview['photos'],
): Promise<void> => {
  if (media === undefined) return;
  const paths = ads.flatMap(({ imageUrls }) => imageUrls.flatMap((url) => parseMediaPath(url) ?? []));
  for (const path of paths) {
    try {
      await findMediaFile(media, path);
      photos.found += 1;
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      photos.count += 1;
      if (photos.missing.length < SHOWN) photos.missing.push({ path, failure: error.message });
    }
  }
};

/** Names the places here that the positions of ads mean: where the site has a city, and the same name is near it. */
const withPlaces = async ({ trx }: OpenSite, ads: readonly ReadAd[]): Promise<ImportedAd[]> => {
  const sought = ads.flatMap(({ place }) => place ?? []);
  const ids = await findNamedPlaces(trx, sought);
  const found = new Map(sought.map((place, at) => [place, ids[at]]));
  return ads.map(({ ad, place }) => ({ ...ad, placeId: (place && found.get(place)) ?? null }));
};

const addBlocked = ({ leftOut }: OpenSite, ads: number): void => {
  leftOut.set('blocked', (leftOut.get('blocked') ?? 0) + ads);
};

/** The ads of some people of the site, as a file would describe them. Those of blocked people are counted and left out. */
async function* readAds(
  open: OpenSite,
  owners: readonly string[] | undefined,
  media: string | undefined,
  photos: SitePreview['photos'],
): AsyncGenerator<ImportedAd> {
  const { site, trx, dump, reading } = open;
  for (let after = '0'; ; ) {
    const page = await listSiteAds(trx, owners, after, PAGE);
    const people = await site.findPeople(dump, [...new Set(page.map(({ owner }) => owner))]);
    const allowed = page.filter(({ owner }) => !people.get(owner)?.isBlocked);
    if (allowed.length < page.length) addBlocked(open, page.length - allowed.length);
    const ads = await withPlaces(open, await site.readAds(dump, allowed, reading));
    await checkPhotos(ads, media, photos);
    yield* ads.map(checkText);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.row;
  }
}

const countUnmapped = async (open: OpenSite, sellers: readonly SiteSeller[]): Promise<SitePreview['unmapped']> => {
  if (sellers.some(({ owners }) => owners === undefined)) return { ads: 0, people: 0 };
  const mapped = new Set(sellers.flatMap(({ owners }) => owners ?? []));
  const unmapped = { ads: 0, people: 0 };
  for await (const owners of pageOwners(open)) {
    const others = owners.filter(({ owner }) => !mapped.has(owner));
    const people = await open.site.findPeople(
      open.dump,
      others.map(({ owner }) => owner),
    );
    for (const { owner, ads } of others) {
      if (people.get(owner)?.isBlocked) addBlocked(open, ads);
      else {
        unmapped.people += 1;
        unmapped.ads += ads;
      }
    }
  }
  return unmapped;
};

const toActor = ({ id, role }: UserRow): UserActor => ({ kind: 'user', id, role });

/** Lets a run of this site for this person end that was interrupted. */
const finishFormer = async (
  ctx: AppContext,
  user: UserRow,
  source: string,
  finished: SitePreview['finished'],
): Promise<void> => {
  const running = await findRunning(ctx.db, user.id);
  if (running?.source !== source) return;
  await runImport(ctx, running.id);
  const { created, updated } = await readImport(ctx, toActor(user), running.id);
  finished.sellers += 1;
  finished.created += created;
  finished.updated += updated;
};

/**
 * Remembers for each seller what the site would do, as previewImport does for a file. A seller whose import is refused (banned, or with
 * one of their own that runs) stops no other.
 */
export const previewSite = async (
  ctx: AppContext,
  open: OpenSite,
  sellers: readonly SiteSeller[],
  { fileName, source, mapping, truncate, media, onProgress }: SiteChoices,
): Promise<SitePreview> => {
  const photos: SitePreview['photos'] = { found: 0, missing: [], count: 0 };
  const finished = { sellers: 0, created: 0, updated: 0 };
  const unmapped = await countUnmapped(open, sellers);
  const preview: SitePreview = { imports: [], finished, refused: [], unmapped, photos };
  let before = 0;
  for (const { user, owners } of sellers) {
    const ads = readAds(open, owners, media, photos);
    const staging = {
      fileName,
      ads,
      format: open.site.source,
      isSite: true,
      onProgress: (rows: number) => onProgress?.(before + rows),
    };
    try {
      await finishFormer(ctx, user, source, finished);
      const choices = { source, categories: mapping.categories, truncate };
      const id = await previewAds(ctx, toActor(user), staging, choices);
      const summary = await readImport(ctx, toActor(user), id);
      before += summary.rows;
      preview.imports.push({ user, summary });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      preview.refused.push({ user, reason: error.message });
    }
  }
  return preview;
};

/** Takes over the photos of ads of this source that wait for the folder. Yields what became of those of each ad. */
export async function* takeSitePhotos(
  ctx: AppContext,
  owner: FilesOwner,
  media: string,
  signal: AbortSignal,
): AsyncGenerator<{ externalId: string; taken: TakenFile[] }> {
  const read = (path: string) => readMediaFile(media, path);
  for (let after = '0'; ; ) {
    const ads = await listAdsWithDueFiles(ctx.db, owner, { after, limit: AT_ONCE });
    signal.throwIfAborted();
    const taken = await Promise.all(ads.map(({ adId }) => takeFiles(ctx, adId, read)));
    for (const [at, { externalId }] of ads.entries()) yield { externalId, taken: taken[at]! };
    const last = ads.at(-1);
    if (!last) return;
    after = last.adId;
  }
}

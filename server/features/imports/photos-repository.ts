import type { Db, Trx } from '../../db/pools.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';

export interface PhotoRow {
  position: number;
  url: string;
  sha256: string | null;
  tries: number;
  failure: string | null;
}

export const listPhotos = async (db: Db, adId: string): Promise<PhotoRow[]> => {
  const rows = await db('imported_photos').where({ ad_id: adId }).orderBy('position');
  return rows.map(({ position, url, sha256, tries, failure }) => ({
    position,
    url,
    sha256: sha256?.toString('hex') ?? null,
    tries,
    failure,
  }));
};

type NewPhoto = Pick<PhotoRow, 'position' | 'url' | 'sha256'>;

/** The photos that the file names, instead of those that it named before. */
export const replacePhotos = async (trx: Trx, adId: string, photos: readonly NewPhoto[]): Promise<void> => {
  await trx('imported_photos').where({ ad_id: adId }).delete();
  if (photos.length > 0)
    await trx('imported_photos').insert(
      photos.map(({ position, url, sha256 }) => ({
        ad_id: adId,
        position,
        url,
        sha256: sha256 === null ? null : Buffer.from(sha256, 'hex'),
      })),
    );
};

/** What became of a photo, if the file still names it. Returns whether it does. */
export const recordPhoto = async (
  trx: Trx,
  adId: string,
  { position, url }: Pick<PhotoRow, 'position' | 'url'>,
  result: { sha256: string } | { failure: string; phrase: ErrorPhrase | undefined; isFinal: boolean },
): Promise<boolean> => {
  const values =
    'sha256' in result
      ? { sha256: Buffer.from(result.sha256, 'hex'), failure: null, failure_phrase: null }
      : result.isFinal
        ? { failure: result.failure, failure_phrase: result.phrase ? JSON.stringify(result.phrase) : null }
        : { failure: null };
  const changed = await trx('imported_photos')
    .where({ ad_id: adId, position, url })
    .update({ ...values, tries: trx.raw('tries + 1') } as never);
  return changed === 1;
};

export interface FailedPhoto {
  row: number;
  position: number;
  line: number;
  external_id: string;
  title: string;
  url: string;
  failure: string;
  failure_phrase: ErrorPhrase | null;
}

/** The photos of the import's ads that could not be fetched, in the order of the file, after one of them. */
export const listFailedPhotos = async (
  db: Db,
  importId: string,
  { after, limit }: { after?: Pick<FailedPhoto, 'row' | 'position'> | undefined; limit: number },
): Promise<FailedPhoto[]> => {
  const { rows } = await db.raw<{ rows: FailedPhoto[] }>(
    `select r.position as row, p.position, r.line, r.external_id, r.title, p.url, p.failure, p.failure_phrase
     from import_rows r join imported_photos p using (ad_id)
     where r.import_id = ? and p.failure is not null and (r.position, p.position) > (?, ?)
     order by r.position, p.position limit ?`,
    [importId, after?.row ?? 0, after?.position ?? 0, limit],
  );
  return rows;
};

/** The photos of the import's ads: how many wait, how many could not be fetched. */
export const countPhotos = async (db: Db, importId: string): Promise<{ waiting: number; failedCount: number }> => {
  const { rows } = await db.raw<{ rows: { waiting: number; failedCount: number }[] }>(
    `select count(*) filter (where p.failure is null)::int as waiting,
       count(*) filter (where p.failure is not null)::int as "failedCount"
     from import_rows r join imported_photos p using (ad_id) where r.import_id = ? and p.sha256 is null`,
    [importId],
  );
  return rows[0]!;
};

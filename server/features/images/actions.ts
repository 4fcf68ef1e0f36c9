import type { App } from '../../app.ts';
import { deleteUnusedImages, findImages } from './store.ts';

const BATCH = 50;
const HOUR = 3_600_000;

/**
 * Deletes the pictures that no ad shows any more. The bytes go while the deleted rows are still locked: an upload of the
 * same picture waits for the commit and then stores it anew. A crash in between leaves a row without bytes that no ad
 * shows, for the next run. Returns how many went.
 */
export async function collectImages({ db, imageStores }: App): Promise<number> {
  // in the database the bytes go with their rows
  const others = imageStores.filter(({ kind }) => kind !== 'database');
  for (let collected = 0; ; ) {
    const gone = await db.transaction(async (trx) => {
      const deleted = await deleteUnusedImages(trx, BATCH);
      await Promise.all(deleted.flatMap((sha256) => others.map((store) => store.delete(sha256))));
      return deleted;
    });
    collected += gone.length;
    if (gone.length < BATCH) return collected;
  }
}

/**
 * Deletes objects stored more than an hour ago that have no row: left by a rolled-back upload or a crash. Younger ones may
 * belong to an upload that has not committed yet. Returns how many pictures went; a dry run counts them only.
 */
export async function sweepImageStore(app: App, isDryRun = false): Promise<number> {
  const before = app.clock.now().getTime() - HOUR;
  const swept = new Set<string>();
  let batch = new Set<string>();
  const sweep = async () => {
    const known = await findImages(app.db, [...batch]);
    for (const sha256 of batch) {
      if (known.has(sha256)) continue;
      if (!isDryRun) await app.imageStore.delete(sha256);
      swept.add(sha256);
    }
    batch = new Set();
  };
  for await (const { sha256, storedAt } of app.imageStore.list())
    if (storedAt < before && batch.add(sha256).size >= BATCH) await sweep();
  await sweep();
  return swept.size;
}

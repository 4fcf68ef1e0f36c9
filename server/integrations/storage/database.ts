import type { Variant } from '../../../contract/image-variants.ts';
import type { Db } from '../../db/pools.ts';
import type { ImageBytes, ImageStore } from './storage.ts';

type BlobRow = { sha256: Buffer; variant: Variant; bytes: Buffer };
type SizeRow = { sha256: Buffer; variant: Variant; size: number };
const PAGE = 1000;

const toRow = ({ sha256, variant, bytes }: ImageBytes): BlobRow => ({
  sha256: Buffer.from(sha256, 'hex'),
  variant,
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/** The default store: images replicate and are backed up with their rows. `db` may be a transaction. */
export function createDatabaseStore(db: Db): ImageStore {
  return {
    kind: 'database',
    async put(images, existing = 'keep') {
      if (images.length === 0) return;
      const insertion = db<BlobRow>('image_blobs').insert(images.map(toRow)).onConflict(['sha256', 'variant']);
      await (existing === 'keep' ? insertion.ignore() : insertion.merge(['bytes']));
    },
    async get({ sha256, variant }) {
      const where = { sha256: Buffer.from(sha256, 'hex'), variant };
      const row = await db<BlobRow>('image_blobs').where(where).first('bytes');
      return row?.bytes;
    },
    async delete(sha256) {
      await db<BlobRow>('image_blobs').where('sha256', Buffer.from(sha256, 'hex')).delete();
    },
    async *list() {
      for (let after: SizeRow | undefined; ; ) {
        const rows = await listPage(db, after);
        for (const { sha256, variant, size } of rows)
          yield { sha256: sha256.toString('hex'), variant, bytes: size, storedAt: 0 };
        after = rows.at(-1);
        if (!after) return;
      }
    },
  };
}

async function listPage(db: Db, after: SizeRow | undefined): Promise<SizeRow[]> {
  const { rows } = await db.raw<{ rows: SizeRow[] }>(
    `select sha256, variant, octet_length(bytes) as size from image_blobs
     where (sha256, variant) > (?, ?) order by sha256, variant limit ${PAGE}`,
    [after?.sha256 ?? Buffer.alloc(0), after?.variant ?? ''],
  );
  return rows;
}

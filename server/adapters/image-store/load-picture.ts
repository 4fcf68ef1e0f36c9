import type { Images } from '../images.ts';
import type { ImageKey, ImageStore } from './image-store.ts';

/** The bytes of a picture from the first store that has it. */
export async function findPicture(stores: readonly ImageStore[], key: ImageKey): Promise<Buffer | undefined> {
  for (const store of stores) {
    const bytes = await store.get(key);
    if (bytes) return bytes;
  }
  return undefined;
}

/** The same; a card that no job has made yet is made now: link previews are fetched within seconds. */
export async function loadPicture(
  stores: readonly ImageStore[],
  images: Images,
  key: ImageKey,
): Promise<Buffer | undefined> {
  const stored = await findPicture(stores, key);
  if (stored || key.variant !== 'card') return stored;
  const full = await findPicture(stores, { ...key, variant: 'full' });
  return full && images.makeCard(full);
}

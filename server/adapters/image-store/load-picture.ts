import type { Images } from '../images.ts';
import type { ImageKey, ImageStore } from './image-store.ts';

/** The bytes of a picture. A card that no job has made yet is made now: link previews are fetched within seconds. */
export async function loadPicture(store: ImageStore, images: Images, key: ImageKey): Promise<Buffer | undefined> {
  const stored = await store.get(key);
  if (stored || key.variant !== 'card') return stored;
  const full = await store.get({ ...key, variant: 'full' });
  return full && images.makeCard(full);
}

import type { ImageKey, ImageStore } from '../../adapters/image-store/image-store.ts';
import type { App } from '../../app.ts';
import { holdImage } from './store.ts';

/** What making and keeping pictures takes; the rest of the app is not there yet when its cache is opened. */
type Studio = Pick<App, 'db' | 'images' | 'imageStore' | 'imageStores' | 'log'>;

/** Made of the full rendition: `card` by a job or for whoever asks before it, `medium` for whoever asks first. */
const makers = { card: 'makeCard', medium: 'makeMedium' } as const;

const isMade = (key: ImageKey): key is ImageKey & { variant: keyof typeof makers } => key.variant in makers;

/** The bytes of a picture from the first store that has it. */
async function findPicture(stores: readonly ImageStore[], key: ImageKey): Promise<Buffer | undefined> {
  for (const store of stores) {
    const bytes = await store.get(key);
    if (bytes) return bytes;
  }
  return undefined;
}

async function render({ images, imageStores }: Studio, key: ImageKey): Promise<Buffer | undefined> {
  if (!isMade(key)) return undefined;
  const full = await findPicture(imageStores, { ...key, variant: 'full' });
  return full && images[makers[key.variant]](full);
}

/** Keeps a rendition while its picture exists: it may have been deleted meanwhile. */
const keep = ({ db, imageStore }: Studio, key: ImageKey, bytes: Buffer): Promise<void> =>
  db.transaction(async (trx) => {
    if (await holdImage(trx, key.sha256)) await imageStore.put(trx, [{ ...key, bytes }]);
  });

/** A picture by its name; a rendition that nobody has made yet is made now and kept. May throw overloaded. */
export async function loadPicture(studio: Studio, key: ImageKey): Promise<Buffer | undefined> {
  const stored = await findPicture(studio.imageStores, key);
  if (stored) return stored;
  const made = await render(studio, key);
  // whoever asks gets it all the same
  if (made) await keep(studio, key, made).catch((err) => studio.log.warn({ err }, 'a picture could not be kept'));
  return made;
}

/** Makes and keeps the picture for link previews. A job: runs after the ad is posted. */
export async function storeCard(studio: Studio, sha256: string): Promise<void> {
  const key = { sha256, variant: 'card' as const };
  if (await findPicture(studio.imageStores, key)) return;
  const card = await render(studio, key);
  if (card) await keep(studio, key, card);
}

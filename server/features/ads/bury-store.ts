import type { Trx } from '../../db/connect.ts';

const TOMBSTONE = {
  title: '',
  description: '',
  price: 0,
  location: null,
  external_link: null,
  allow_messages: false,
  state: 'deleted',
  state_reason: null,
  is_sold: false,
  sold_at: null,
  sold_listed_until: null,
};

/**
 * Turns one ad, or all of a seller's, into tombstones: no text, pictures, favorites, views or words
 * of posts to X. Their conversations keep the
 * id to stand by.
 */
export const buryAds = async (trx: Trx, which: { id: string } | { user_id: string }): Promise<void> => {
  const buried = await trx('ads')
    .where(which)
    .whereNot({ state: 'deleted' })
    .update({ ...TOMBSTONE, deleted_at: trx.fn.now(), updated_at: trx.fn.now() })
    .returning<{ id: string }[]>('id');
  const ids = buried.map((row) => row.id);
  for (const table of ['favorites', 'ad_images', 'ad_views'])
    await trx(table).whereRaw('ad_id = any(?::bigint[])', [ids]).delete();
  // that there was a post is kept, for the caps and against a second one; what it said was the ad's
  await trx('x_posts').whereRaw('ad_id = any(?::bigint[])', [ids]).update({ body: '' });
};

/**
 * The second baseline: the usual implementation of a list, with Koa, the Knex query builder, Date objects and OFFSET.
 */
import knex from 'knex';
import Koa from 'koa';

const db = knex({ client: 'pg', connection: process.env.DATABASE_URL, pool: { min: 0, max: 10 } });
const koa = new Koa();

koa.use(async (ctx) => {
  const { category, minPrice, maxPrice, search, page = '0' } = ctx.query as Record<string, string | undefined>;
  const query = db('ads as a')
    .join('users as u', 'u.id', 'a.user_id')
    .join('categories as c', 'c.id', 'a.category_id')
    .leftJoin('ad_views as v', 'v.ad_id', 'a.id')
    .where('a.listed', true)
    .select(
      'a.*',
      'u.username',
      'u.display_name',
      'u.is_verified',
      'u.is_premium',
      'c.name as category',
      'c.slug',
      'v.views',
    )
    .orderBy('a.created_at', 'desc')
    .limit(24)
    .offset(Number(page) * 24);
  if (category) query.where('c.slug', category);
  if (minPrice) query.where('a.price', '>=', minPrice);
  if (maxPrice) query.where('a.price', '<=', maxPrice);
  if (search) query.whereRaw("(a.title || ' ' || a.description) ilike ?", [`%${search}%`]);
  const rows = await query;
  const ids = rows.map((row) => row.id);
  const images = await db('ad_images as ai')
    .join('images as i', 'i.sha256', 'ai.sha256')
    .whereIn('ai.ad_id', ids)
    .orderBy('ai.position');
  ctx.body = rows.map(({ tsv, ...row }) => ({
    ...row,
    createdAt: new Date(row.created_at),
    images: images.filter((image) => image.ad_id === row.id),
  }));
});

koa.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));

import * as api from '../../../contract/admin-categories.ts';
import { type CategoryIcon, toEmoji } from '../../../contract/category-icons.ts';
import type { AppContext } from '../../app-context.ts';
import type { CategoryRow } from '../../db/rows.ts';
import { route } from '../../endpoints/define.ts';
import { listNames } from './names-repository.ts';
import { presentAdminCategory } from './presenter.ts';
import { addCategory, changeCategory, listAllCategories, mergeCategories, moveCategory } from './service.ts';
import { toSlug } from './slug.ts';

const toOptionalEmoji = (icon: CategoryIcon | undefined) => icon && toEmoji(icon);

const present = async ({ db }: AppContext, row: CategoryRow) =>
  presentAdminCategory(row, await listNames(db, { category_id: row.id }));

export const categoryRoutes = [
  route(api.listAllCategories, async ({ ctx, actor }) =>
    (await listAllCategories(ctx, actor)).map((row) => ({ ...presentAdminCategory(row, row.names), ads: row.ads })),
  ),

  route(api.createCategory, async ({ ctx, actor, body: { name, slug, icon, names }, request }) => {
    const seed = { name, slug: slug || toSlug(name), emoji: toEmoji(icon), names };
    return present(ctx, await addCategory(ctx, actor, seed, { requestId: request.id }));
  }),

  route(api.changeCategory, async ({ ctx, actor, params, body: { icon, slug, ...others }, request }) => {
    const change = { ...others, slug: slug || undefined, emoji: toOptionalEmoji(icon) };
    return present(ctx, await changeCategory(ctx, actor, params.slug, change, { requestId: request.id }));
  }),

  route(api.moveCategory, async ({ ctx, actor, params, body, request }) =>
    present(ctx, await moveCategory(ctx, actor, params.slug, body.before, { requestId: request.id })),
  ),

  route(api.mergeCategory, async ({ ctx, actor, params, body, request }) => ({
    ads: await mergeCategories(
      ctx,
      actor,
      { from: params.slug, into: body.into, mostAds: api.CATEGORY_LIMITS.merged },
      { requestId: request.id },
    ),
  })),
];

import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/ratings.ts';
import type { AppContext } from '../../app-context.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { maySeeProfile } from '../../policy.ts';
import { findUser, listUsersByIds } from '../users/repository.ts';
import { presentOwnRating, presentRating } from './presenter.ts';
import { listPublicRatings, type RatingDetails } from './repository.ts';
import { rateDeal, replyToRating } from './service.ts';

const presentAll = async ({ db }: AppContext, rows: readonly RatingDetails[]): Promise<api.Rating[]> => {
  const raters = await listUsersByIds(
    db,
    rows.map(({ rater_id }) => rater_id),
  );
  return rows.map((row) => presentRating(row, raters.find(({ id }) => id === row.rater_id)!));
};

export const ratingRoutes = [
  route(api.rateDeal, async ({ ctx, actor, params, body }) =>
    presentOwnRating(await rateDeal(ctx, actor, params.id, body)),
  ),

  route(api.listRatings, async ({ ctx, actor, params, query, reply }) => {
    const user = await findUser(ctx.db, params.id);
    if (user === undefined || !maySeeProfile(actor, user, ctx.clock.now())) throw notFound('errors.userNotFound');
    const page = await listPublicRatings(ctx.db, user.id, { ...query, limit: query.limit ?? LIMITS.pageSize });
    reply.page(page);
    return presentAll(ctx, page.rows);
  }),

  route(
    api.replyToRating,
    async ({ ctx, actor, params, body }) =>
      (await presentAll(ctx, [await replyToRating(ctx, actor, params.id, body.text)]))[0]!,
  ),
];

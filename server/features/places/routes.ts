import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/places.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { readSettings } from '../settings/repository.ts';
import { findNearestPlace, findPlace, listPlaces, listUsedPlaces } from './repository.ts';

export const placeRoutes = [
  route(api.listPlaces, async ({ ctx, actor, query }) => {
    const [{ homeCountry }, used] = await Promise.all([
      readSettings(ctx.reads),
      actor.kind === 'user' ? listUsedPlaces(ctx.reads, actor.id, LIMITS.places) : [],
    ]);
    const first = used.map(({ id }) => id);
    return listPlaces(ctx.reads, { text: query.q, first, country: homeCountry, limit: LIMITS.places });
  }),

  route(api.listUsedPlaces, ({ ctx, actor }) => listUsedPlaces(ctx.db, actor.id, LIMITS.places)),

  route(api.getPlace, async ({ ctx, params }) => {
    const place = await findPlace(ctx.reads, params.id);
    if (place === undefined) throw notFound('Place not found');
    return place;
  }),

  route(api.findNearestPlace, async ({ ctx, body }) => {
    const place = await findNearestPlace(ctx.db, body);
    if (place === undefined) throw notFound('This marketplace has no places yet. Type a location instead.');
    return place;
  }),
];

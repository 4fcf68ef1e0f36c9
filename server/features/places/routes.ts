import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/places.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { findNearestPlace, findPlace, listPlaces } from './repository.ts';

export const placeRoutes = [
  route(api.listPlaces, ({ ctx, query }) => listPlaces(ctx.reads, query.q, LIMITS.places)),

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

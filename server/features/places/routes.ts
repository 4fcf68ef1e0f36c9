import { LIMITS } from '../../../contract/limits.ts';
import * as search from '../../../contract/place-search.ts';
import { getPlace } from '../../../contract/places.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { readSettings } from '../settings/repository.ts';
import { measure } from './distance.ts';
import { presentPlace } from './presenter.ts';
import { findNearestPlace, findPlace, listPlaces, listPositions, listUsedPlaces } from './repository.ts';

export const placeRoutes = [
  route(search.listPlaces, async ({ ctx, actor, query }) => {
    const [settings, used] = await Promise.all([
      readSettings(ctx.reads),
      actor.kind === 'user' ? listUsedPlaces(ctx.reads, actor.id, LIMITS.places) : [],
    ]);
    const first = used.map(({ id }) => id);
    const places = await listPlaces(ctx.reads, {
      text: query.q,
      first,
      country: settings.homeCountry,
      limit: LIMITS.places,
    });
    return places.map((place) => presentPlace(place, settings));
  }),

  route(search.listUsedPlaces, async ({ ctx, actor }) => {
    const [settings, places] = await Promise.all([
      readSettings(ctx.db),
      listUsedPlaces(ctx.db, actor.id, LIMITS.places),
    ]);
    return places.map((place) => presentPlace(place, settings));
  }),

  route(getPlace, async ({ ctx, params }) => {
    const [settings, place] = await Promise.all([readSettings(ctx.reads), findPlace(ctx.reads, params.id)]);
    if (place === undefined) throw notFound('errors.placeNotFound');
    return presentPlace(place, settings);
  }),

  route(search.listDistances, async ({ ctx, params, query }) => {
    const [{ distanceUnit }, places] = await Promise.all([
      readSettings(ctx.reads),
      listPositions(ctx.reads, [params.id, ...query.to]),
    ]);
    const from = places.find(({ id }) => id === params.id);
    if (from === undefined) throw notFound('errors.placeNotFound');
    return Object.fromEntries(
      places.filter(({ id }) => query.to.includes(id)).map((place) => [place.id, measure(from, place, distanceUnit)]),
    );
  }),
  route(search.findNearestPlace, async ({ ctx, body }) => {
    const [settings, place] = await Promise.all([readSettings(ctx.db), findNearestPlace(ctx.db, body)]);
    if (place === undefined) throw notFound('errors.noPlaces');
    return presentPlace(place, settings);
  }),
];

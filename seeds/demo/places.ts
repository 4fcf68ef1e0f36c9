import type { Client } from 'pg';
import { LIMITS } from '../../contract/limits.ts';
import { toPlaceLabel } from '../../server/features/places/presenter.ts';
import { drawByWeight, drawByZipf } from './random.ts';

export interface DemoPlace {
  id: string;
  name: string;
  region: string | null;
  country: string;
  lat: number;
  lng: number;
  population: number;
}

/** Ads near the big cities, and ads anywhere. The others have no place. */
const NEAR_CITIES = 0.75;
const ANYWHERE = 0.15;
const BIG_CITIES = 25;
/** Degrees: about 55 km. */
const NEAR = { lat: 0.5, lng: 0.65 };

/** The loaded places, largest first; none if the marketplace has none. */
export async function listDemoPlaces(client: Client): Promise<DemoPlace[]> {
  const { rows } = await client.query<DemoPlace>(
    'select id, name, region, country, lat, lng, population from places where population > 0 order by population desc, id',
  );
  return rows;
}

/**
 * Draws the place of an ad, by population: most near one of the largest cities of the United States (of all countries,
 * if none of its places are loaded), some anywhere, a few nowhere.
 */
export function createPlaceDraw(
  places: readonly DemoPlace[],
  random: () => number,
): () => { id: string; label: string } | null {
  if (places.length === 0) return () => null;
  const domestic = places.filter(({ country }) => country === 'US');
  const cities = (domestic.length > 0 ? domestic : places).slice(0, BIG_CITIES);
  const byPopulation = (among: readonly DemoPlace[]) => drawByWeight(among, ({ population }) => population, random);
  const drawCity = drawByZipf(
    cities.map((city) => byPopulation(places.filter((place) => isNear(place, city)))),
    random,
    0.7,
  );
  const drawAny = byPopulation(places);
  const draw = (): DemoPlace | null => {
    const kind = random();
    if (kind < NEAR_CITIES) return drawCity()();
    return kind < NEAR_CITIES + ANYWHERE ? drawAny() : null;
  };
  return () => {
    const place = draw();
    return place && { id: place.id, label: toPlaceLabel(place, '').slice(0, LIMITS.location) };
  };
}

const isNear = (place: DemoPlace, city: DemoPlace): boolean =>
  Math.abs(place.lat - city.lat) < NEAR.lat && Math.abs(place.lng - city.lng) < NEAR.lng;

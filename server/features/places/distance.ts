import type { Settings } from '../../../contract/admin.ts';

export type DistanceUnit = Settings['distanceUnit'];

const EARTH_KM = 6371.0088;
const KM_PER_DEGREE = (Math.PI * EARTH_KM) / 180;
const UNIT_KM: Record<DistanceUnit, number> = { km: 1, miles: 1.609344 };

/** Where a list starts: a place on a sphere of radius 1. Distances are chords of that sphere. */
export interface Near {
  x: number;
  y: number;
  z: number;
  /** The radius, if the list has one. */
  chord?: number;
  /** The squares of one degree that the radius touches (listed_ads.cell). */
  cells: number[];
  unit: DistanceUnit;
}

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

const toChord = (distance: number, unit: DistanceUnit): number =>
  2 * Math.sin(Math.min(Math.PI, (distance * UNIT_KM[unit]) / EARTH_KM) / 2);

/** The great-circle distance of a chord, rounded to a tenth. */
export const toDistance = (chord: number, unit: DistanceUnit): number =>
  Math.round((2 * Math.asin(Math.min(1, chord / 2)) * EARTH_KM * 10) / UNIT_KM[unit]) / 10;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The squares of one degree around a place. A degree of longitude is shorter far from the equator. */
const listCells = (lat: number, lng: number, km: number): number[] => {
  const north = km / KM_PER_DEGREE + 0.01;
  const [bottom, top] = [Math.max(-90, lat - north), Math.min(90, lat + north)];
  const widest = Math.max(Math.abs(bottom), Math.abs(top));
  const east = widest > 89 ? 180 : Math.min(180, north / Math.cos(toRadians(widest)));
  const columns = range(Math.floor(lng - east), Math.floor(lng + east)).map(
    (column) => (((column + 180) % 360) + 360) % 360,
  );
  return [
    ...new Set(
      range(Math.floor(bottom), Math.floor(top)).flatMap((row) => columns.map((column) => (row + 90) * 360 + column)),
    ),
  ];
};

/** `radius` in the unit; without it the place filters nothing. */
export const toNear = (
  { lat, lng }: { lat: number; lng: number },
  radius: number | undefined,
  unit: DistanceUnit,
): Near => ({
  x: Math.cos(toRadians(lat)) * Math.cos(toRadians(lng)),
  y: Math.cos(toRadians(lat)) * Math.sin(toRadians(lng)),
  z: Math.sin(toRadians(lat)),
  ...(radius !== undefined && { chord: toChord(radius, unit) }),
  cells: radius === undefined ? [] : listCells(lat, lng, radius * UNIT_KM[unit]),
  unit,
});

/** From one place to another, as lists of ads say it. */
export const measure = (
  from: { lat: number; lng: number },
  to: { lat: number; lng: number },
  unit: DistanceUnit,
): number => {
  const [a, b] = [toNear(from, undefined, unit), toNear(to, undefined, unit)];
  return toDistance(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z), unit);
};

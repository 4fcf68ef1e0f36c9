import { useStored, writeStored } from './storage.ts';

/** The place that a person chose last, in the words of filters. An empty radius means any distance. */
export interface RememberedPlace {
  near: string;
  radius: string;
  name: string;
}

const KEY = 'place';

export const rememberPlace = (place: RememberedPlace | null): void =>
  writeStored('localStorage', KEY, place && new URLSearchParams({ ...place }).toString());

/** Undefined if there is none, on the server and during hydration. */
export const useRememberedPlace = (): RememberedPlace | undefined => {
  const stored = new URLSearchParams(useStored('localStorage', KEY) ?? '');
  const [near = '', radius = '', name = ''] = ['near', 'radius', 'name'].map((key) => stored.get(key) ?? '');
  return near && name ? { near, radius, name } : undefined;
};

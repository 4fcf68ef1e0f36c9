import { readStored, writeStored } from '../../../lib/storage.ts';
import type { AdValues } from './ad-values.ts';

/** The texts of an ad that were typed and not saved, as the tab keeps them under a key; without any, the `others`. */
export const readAdDraft = (key: string, others: AdValues): AdValues => {
  try {
    return { ...others, ...JSON.parse(readStored('sessionStorage', key) ?? '{}') };
  } catch {
    return others;
  }
};

/** Keeps them there; null forgets what is kept. */
export const keepAdDraft = (key: string, values: Partial<AdValues> | null): void =>
  writeStored('sessionStorage', key, values && JSON.stringify(values));

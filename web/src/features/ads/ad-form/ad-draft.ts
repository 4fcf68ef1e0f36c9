import { readStored } from '../../../lib/storage.ts';
import type { AdValues } from './ad-values.ts';

/** The texts of an ad that were typed and not saved, as the tab keeps them under a key; without any, the `others`. */
export const readAdDraft = (key: string, others: AdValues): AdValues => {
  try {
    return { ...others, ...JSON.parse(readStored('sessionStorage', key) ?? '{}') };
  } catch {
    return others;
  }
};

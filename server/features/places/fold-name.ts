import { foldText } from '../ads/search/words/fold.ts';

/** Signs inside of words. People who type leave them out. */
const INSIDE = /['`’‘ʻʼ・=]/g;
const BETWEEN = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * A name as `place_names` has it, and as people are understood who type it: `fold_place` for every script. PostgreSQL
 * tells letters by the collation of the database; under "C", `fold_place` keeps none but those of English.
 */
export const foldName = (name: string): string => foldText(name).replace(INSIDE, '').replace(BETWEEN, ' ').trim();

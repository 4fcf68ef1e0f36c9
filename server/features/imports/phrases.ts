import type { RowProblem } from '../../../contract/imports.ts';
import { sayStored, toEnglish } from '../../error-phrases.ts';
import type { Problem } from './reading/imported-ad.ts';

// What is wrong with a row, a photo or an import is stored twice: in English, for `marketctl` and the replicas of another release, and
// as a phrase, which is said in the language of whoever reads it. What was stored before there were phrases keeps its words.

export interface StoredProblem extends RowProblem {
  phrases?: Omit<Problem, 'column'>;
}

export const storeProblem = ({ column, what, how }: Problem): StoredProblem => ({
  column,
  what: toEnglish(what),
  how: toEnglish(how),
  phrases: { what, how },
});

export const sayProblem = ({ column, what, how, phrases }: StoredProblem): RowProblem => ({
  column,
  what: sayStored(what, phrases?.what),
  how: sayStored(how, phrases?.how),
});

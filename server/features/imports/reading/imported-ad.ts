import type { Condition } from '../../../../contract/conditions.ts';
import type { PriceType } from '../../../../contract/prices.ts';
import { type ErrorPhrase, toEnglish } from '../../../error-phrases.ts';

/** What is wrong with an ad of a file, where, and how to mend it. */
export interface Problem {
  /** As the file calls it; empty if it concerns the whole ad. */
  column: string;
  what: ErrorPhrase;
  how: ErrorPhrase;
}

/** What is wrong with an ad that has bytes of another encoding. */
export const LOST_BYTES: Omit<Problem, 'column'> = {
  what: { key: 'mistakes.lostBytes' },
  how: { key: 'mistakes.writeAgain' },
};

/** An ad as a file describes it, whatever its format. Texts are plain, and as long as the file has them. */
export interface ImportedAd {
  /** Where it begins in the file; the first line is 1. */
  line: number;
  /** What the file calls it. Empty: it has no name, so its content is its name. */
  externalId: string;
  title: string;
  description: string;
  /** A canonical text ("1234.50"); empty with a problem. */
  price: string;
  /** A code of ISO 4217; null if the format does not say. */
  currency: string | null;
  priceType: PriceType;
  /** The words of the file. The first that the marketplace knows counts. */
  categories: readonly string[];
  condition: Condition | null;
  location: string;
  placeId: string | null;
  details: Readonly<Record<string, string>>;
  externalLink: string | null;
  allowMessages: boolean;
  /** Addresses, or files of a site (`toMediaUrl`). */
  imageUrls: readonly string[];
  /** Not to be shown for now: paused, a draft, sold out. */
  isHidden: boolean;
  /** What the file calls a field, where that is not its name here. */
  names: Readonly<Record<string, string>>;
  problems: readonly Problem[];
  /** Nothing of it could be read: its problems are all that is known. */
  isUnread: boolean;
}

/** What a file leaves open, as a person chose it. */
export interface ReadingOptions {
  /** What each column of a table means, by its heading. Absent: guessed. */
  columns?: Readonly<Record<string, string>> | undefined;
  /** How prices are written. Absent: a comma is a problem, and not guessed at. */
  decimal?: 'point' | 'comma' | undefined;
}

/** The file as a whole cannot be read, from this line on if it is known. What is wrong with a dump only `marketctl` says: in English. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly line: number | undefined;
  readonly phrase: ErrorPhrase | undefined;
  constructor(what: string | ErrorPhrase, line?: number) {
    const message = typeof what === 'string' ? what : toEnglish(what);
    super(line === undefined ? message : `Line ${line}: ${message}`);
    this.line = line;
    if (typeof what !== 'string')
      this.phrase = line === undefined ? what : { key: 'mistakes.line', values: { line: String(line), what } };
  }
}

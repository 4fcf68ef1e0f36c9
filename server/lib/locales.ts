import type { Language } from '../../contract/languages.ts';
import { invalid } from '../errors.ts';

interface Speaking {
  locales: readonly Language[];
}

/**
 * One of the marketplace's languages by its code; without a code, the first one.
 * @throws {AppError} invalid for another one
 */
export const toLocaleOf = ({ locales }: Speaking, code: string | undefined): Language => {
  const found = code === undefined ? locales[0] : locales.find((known) => known === code);
  if (found === undefined)
    throw invalid({ language: { key: 'errors.siteSpeaks', values: { languages: locales.join(', ') } } });
  return found;
};

import { languages } from 'virtual:catalogs';
import { type Area, type Catalog, speak } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';

type LoadIndex = Awaited<ReturnType<(typeof languages)[Language]>>['loadIndex'];

const catalogs: Partial<Record<Area, Catalog>> = {};
const started = Promise.withResolvers<LoadIndex>();

/** Loads the language of the page, which stays the same: another one is another page. */
export const startLanguage = async (language: Language): Promise<void> => {
  const { first, loadIndex } = await languages[language]();
  Object.assign(catalogs, first);
  speak({ language, catalogs });
  started.resolve(loadIndex);
};

/** The code of the first page loads beside the language, which knows where its areas are. */
const loadArea = async (area: Area): Promise<void> => {
  const loadIndex = await started.promise;
  const { areas } = await loadIndex();
  catalogs[area] ??= (await areas[area]?.())?.default;
};

/**
 * A module, as soon as the texts of these areas are there. The build calls it (web/scripts/catalogs.ts).
 * @public
 */
export const withCatalogs = async <T>(module: Promise<T>, areas: readonly Area[]): Promise<T> => {
  const [loaded] = await Promise.all([module, ...areas.map(loadArea)]);
  return loaded;
};

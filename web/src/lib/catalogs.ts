import { languages } from 'virtual:catalogs';
import { type Area, type Catalog, speak } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';

const catalogs: Partial<Record<Area, Catalog>> = {};
let loadArea: (area: Area) => Promise<void> = async () => {};

/** Loads the language of the page, which stays the same: another one is another page. */
export const startLanguage = async (language: Language): Promise<void> => {
  const { shell, areas } = await languages[language]();
  catalogs.shell = shell;
  loadArea = async (area) => {
    catalogs[area] ??= (await areas[area]?.())?.default;
  };
  speak({ language, catalogs });
};

/**
 * A module, as soon as the texts of these areas are there. The build calls it (web/scripts/catalogs.ts).
 * @public
 */
export const withCatalogs = async <T>(module: Promise<T>, areas: readonly Area[]): Promise<T> => {
  const [loaded] = await Promise.all([module, ...areas.map((area) => loadArea(area))]);
  return loaded;
};

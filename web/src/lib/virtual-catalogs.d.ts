/** Made by web/scripts/catalogs.ts. */
declare module 'virtual:catalogs' {
  type Area = import('../../../contract/i18n.ts').Area;
  type Catalog = import('../../../contract/i18n.ts').Catalog;
  interface Index {
    areas: Partial<Record<Area, () => Promise<{ default: Catalog }>>>;
  }
  interface LanguageModule {
    first: Partial<Record<Area, Catalog>>;
    loadIndex: () => Promise<Index>;
  }
  export const languages: Record<import('../../../contract/languages.ts').Language, () => Promise<LanguageModule>>;
}

import { getLocale, speaking, t } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type PageText, type RenderedText, TEXT_PAGES, type TextPage } from '../../../contract/page-texts.ts';
import type { Placeholder } from '../../../contract/placeholders.ts';
import { type AppContext, perProcess } from '../../app-context.ts';
import { watchStored } from '../../db/watch.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { getSite } from '../brand/site.ts';
import { nameIn } from '../categories/names.ts';
import { listCategories } from '../categories/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { chooseText } from './choose.ts';
import { fillPlaceholders, renderMarkdown } from './markdown.ts';
import { listCurrentTexts, type PageTextRow, type Sheet } from './repository.ts';

/** The texts as they are stored, which every replica keeps in memory. */
const getTexts = perProcess((root) =>
  watchStored<PageTextRow[]>(root.events, 'pages', () => listCurrentTexts(root.db), []),
);

/** "25 categories, from Electronics to Tickets & Events." */
const describeCategories = (names: readonly string[], total: number): string => {
  const [first] = names;
  const last = names.at(-1);
  if (first === undefined || last === undefined) return t('page.categoriesNone');
  if (first === last) return t('page.categoriesOne', { name: first });
  return t('page.categories', { count: total, first, last });
};

const describeCurrency = (code: string): string =>
  `${new Intl.DisplayNames(getLocale(), { type: 'currency' }).of(code)} (${code})`;

const describePhotos = (count: number): string =>
  count > 0 ? t('page.photosAndTitle', { photos: t('list.countPhotos', { count }) }) : t('page.title');

/** In a language. */
const readValues = async (ctx: AppContext, language: Language): Promise<Record<Placeholder, string>> => {
  const [{ brand, config }, settings, rows] = await Promise.all([
    getSite(ctx).read(),
    readSettings(ctx.reads),
    listCategories(ctx.reads),
  ]);
  const categories = rows.filter((row) => !row.is_disabled);
  const named = await nameIn(ctx.reads, categories, language);
  const names = named.filter(({ slug }) => slug !== 'other').map(({ name }) => name);
  return speaking(readTexts(language), () => ({
    site: brand.name,
    supportEmail: config.supportEmail,
    legalEmail: config.legalEmail,
    currency: describeCurrency(config.currency.code),
    photosAndTitle: describePhotos(settings.maxImagesPerAd),
    categories: describeCategories(names, categories.length),
    appealDays: String(LIMITS.appealDays),
    visitDays: String(LIMITS.visitDays),
    notificationDays: String(LIMITS.notificationDays),
    formerPriceDays: String(LIMITS.formerPriceDays),
    caseCopyDays: String(LIMITS.caseCopyDays),
    reporterAddressDays: String(LIMITS.reporterAddressDays),
    sessionDays: String(LIMITS.sessionDays),
    sessionIdleDays: String(LIMITS.sessionIdleDays),
  }));
};

/** What each page last looked like in each language, with the Markdown it was made from. */
const getRendered = perProcess(() => new Map<string, { markdown: string; text: RenderedText }>());

/** What a text looks like on the page, with the present values. */
export const renderText = async (ctx: AppContext, text: string, language: Language): Promise<RenderedText> =>
  renderMarkdown(fillPlaceholders(text, await readValues(ctx, language)));

/** For readers of a language. Undefined for a page without a text. */
export const findPageText = async (ctx: AppContext, sheet: Sheet): Promise<PageText | undefined> => {
  const chosen = chooseText(await getTexts(ctx).read(), sheet, ctx.config.locales);
  if (chosen === undefined) return undefined;
  const { text: source, ...described } = chosen;
  const markdown = fillPlaceholders(source, await readValues(ctx, chosen.language));
  const rendered = getRendered(ctx);
  const key = `${sheet.page} ${chosen.language}`;
  const before = rendered.get(key);
  const text = before?.markdown === markdown ? before.text : renderMarkdown(markdown);
  rendered.set(key, { markdown, text });
  return { ...text, ...described, page: sheet.page };
};

/** The pages that have a text: all but perhaps the imprint. */
export const listTextPages = async (ctx: AppContext): Promise<TextPage[]> => {
  const texts = await getTexts(ctx).read();
  const { locales } = ctx.config;
  return TEXT_PAGES.filter((page) => chooseText(texts, { page, language: locales[0]! }, locales) !== undefined);
};

import { ENGLISH_LOCALE } from '../../../contract/languages.ts';
import { LIMITS } from '../../../contract/limits.ts';
import {
  type PageText,
  type Placeholder,
  type RenderedText,
  TEXT_PAGES,
  type TextPage,
} from '../../../contract/page-texts.ts';
import { pluralize } from '../../../contract/plural.ts';
import { type AppContext, perProcess } from '../../app-context.ts';
import { watchStored } from '../../db/watch.ts';
import { getSite } from '../brand/site.ts';
import { listCategories } from '../categories/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { getBuiltIn } from './built-in/texts.ts';
import { fillPlaceholders, renderMarkdown } from './markdown.ts';
import { listCurrentTexts, type PageTextRow } from './repository.ts';

/** The texts as they are stored, which every replica keeps in memory. */
const getTexts = perProcess((root) =>
  watchStored(
    root.events,
    'pages',
    async () => new Map((await listCurrentTexts(root.db)).map((row) => [row.page, row])),
    new Map<TextPage, PageTextRow>(),
  ),
);

/** "25 categories, from Electronics to Tickets & Events." */
const describeCategories = (names: readonly string[], total: number): string => {
  const [first] = names;
  const last = names.at(-1);
  if (first === undefined || last === undefined) return 'Everything, from cars to tickets.';
  if (first === last) return `Everything in ${first}.`;
  return `${total.toLocaleString(ENGLISH_LOCALE)} categories, from ${first} to ${last}.`;
};

const describeCurrency = (code: string): string =>
  `${new Intl.DisplayNames(ENGLISH_LOCALE, { type: 'currency' }).of(code)} (${code})`;

const readValues = async (ctx: AppContext): Promise<Record<Placeholder, string>> => {
  const [{ brand, config }, settings, rows] = await Promise.all([
    getSite(ctx).read(),
    readSettings(ctx.reads),
    listCategories(ctx.reads),
  ]);
  const categories = rows.filter((row) => !row.is_disabled);
  const names = categories.filter(({ slug }) => slug !== 'other').map(({ name }) => name);
  const photos = settings.maxImagesPerAd;
  return {
    site: brand.name,
    supportEmail: config.supportEmail,
    legalEmail: config.legalEmail,
    currency: describeCurrency(config.currency.code),
    photosAndTitle: photos > 0 ? `up to ${pluralize(photos, 'photo')}, a title` : 'a title',
    categories: describeCategories(names, categories.length),
    appealDays: String(LIMITS.appealDays),
    visitDays: String(LIMITS.visitDays),
    notificationDays: String(LIMITS.notificationDays),
    formerPriceDays: String(LIMITS.formerPriceDays),
    caseCopyDays: String(LIMITS.caseCopyDays),
    reporterAddressDays: String(LIMITS.reporterAddressDays),
    sessionDays: String(LIMITS.sessionDays),
    sessionIdleDays: String(LIMITS.sessionIdleDays),
  };
};

/** What each page last looked like, with the Markdown it was made from. */
const getRendered = perProcess(() => new Map<TextPage, { markdown: string; text: RenderedText }>());

/** What a text looks like on the page, with the present values. */
export const renderText = async (ctx: AppContext, text: string): Promise<RenderedText> =>
  renderMarkdown(fillPlaceholders(text, await readValues(ctx)));

/** Undefined for a page without a text. */
export const findPageText = async (ctx: AppContext, page: TextPage): Promise<PageText | undefined> => {
  const own = (await getTexts(ctx).read()).get(page);
  const builtIn = getBuiltIn(page);
  const source = own?.body ?? builtIn?.text;
  if (source === undefined) return undefined;
  const markdown = fillPlaceholders(source, await readValues(ctx));
  const rendered = getRendered(ctx);
  const before = rendered.get(page);
  const text = before?.markdown === markdown ? before.text : renderMarkdown(markdown);
  rendered.set(page, { markdown, text });
  const isBuiltIn = own?.body == null;
  const updated = isBuiltIn ? (builtIn?.updated ?? null) : own.created_at.slice(0, 10);
  return { ...text, page, isBuiltIn, updated };
};

/** The pages that have a text: all but perhaps the imprint. */
export const listTextPages = async (ctx: AppContext): Promise<TextPage[]> => {
  const texts = await getTexts(ctx).read();
  return TEXT_PAGES.filter((page) => (texts.get(page)?.body ?? getBuiltIn(page)) !== null);
};

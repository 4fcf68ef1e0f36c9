import { maxAmount, minAmount } from '../../../contract/amount-rules.ts';
import { ENGLISH_LOCALE } from '../../../contract/languages.ts';
import { type Currency, DEFAULT_CURRENCY, formatPrice } from '../../../contract/money.ts';
import type { AppContext } from '../../app-context.ts';
import { toCurrency } from '../../config/currencies.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type ErrorPhrase, toEnglish } from '../../error-phrases.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { readMaintenance, writeMaintenance } from '../settings/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { keepJudged } from './judged.ts';
import {
  AMOUNTS,
  type Conversion,
  convertBatch,
  hasAmounts,
  insertCurrency,
  listOfferTexts,
  lockCurrency,
  readCurrency,
  type StoredCurrency,
  writeCurrency,
  writeMessageTexts,
} from './repository.ts';
import { keepNames } from './search-names.ts';

/** What only `marketctl` hears. */
const refuse = (message: string) => new AppError('conflict', { message });

/** What a marketplace had before its currency was stored. */
const BEFORE = DEFAULT_CURRENCY.code;

/** Stores the configured currency if there are no amounts yet. Returns the currency that the amounts are in. */
export const settleCurrency = ({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<StoredCurrency> =>
  inTransaction(db, async (trx) => {
    const { code } = config.currency;
    const known = await readCurrency(trx);
    if (known !== undefined && known.code === code) return known;
    const isFilled = await hasAmounts(trx);
    await insertCurrency(trx, { code: isFilled ? BEFORE : code });
    const stored = (await lockCurrency(trx))!;
    if (stored.code === code || isFilled || stored.conversion) return stored;
    await writeCurrency(trx, { code });
    return { code };
  });

export const toCommand = ({ to, rate }: Pick<Conversion, 'to' | 'rate'>): string =>
  `marketctl currency convert --to ${to} --rate ${rate}`;

/** Why a server may not run with this currency, and what to do; undefined if it may. */
export const findMismatch = ({ code, conversion }: StoredCurrency, configured: string): string | undefined => {
  if (conversion)
    return `The conversion of all amounts from ${code} to ${conversion.to} is not complete. Run: ${toCommand(conversion)}`;
  if (code === configured) return undefined;
  return `The amounts of this marketplace are in ${code}, and CURRENCY is ${configured}. Set CURRENCY=${code}, or convert them, for example: ${toCommand({ to: configured, rate: '0.92' })}`;
};

/** @throws {AppError} conflict if the amounts are not in the configured currency */
export const requireCurrency = async (ctx: AppContext): Promise<void> => {
  const mismatch = findMismatch(await settleCurrency(ctx), ctx.config.currency.code);
  if (mismatch !== undefined) throw refuse(mismatch);
};

export interface ConversionOptions extends Pick<Conversion, 'to' | 'rate'> {
  /** Called after each batch with the number of batches so far. */
  onProgress?: (batches: number) => void;
}

const closeSite = async (
  trx: Trx,
  { clock }: AppContext,
  actor: Actor,
  reason: AuditContext['reason'],
): Promise<void> => {
  if (await readMaintenance(trx)) return;
  const phrase: ErrorPhrase = { key: 'errors.pricesChange' };
  const [message, retryAfter] = [toEnglish(phrase), 60];
  await writeMaintenance(trx, { message, phrase, retryAfter, since: clock.now().toISOString() });
  await recordAudit(trx, actor, { action: 'maintenance.on', details: { message, retryAfter, reason } });
};

/** Begins a conversion, or finds the one that was interrupted. Closes the site: nobody writes an amount meanwhile. */
const begin = (ctx: AppContext, actor: Actor, { to, rate }: ConversionOptions, reason: AuditContext['reason']) =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await insertCurrency(trx, { code: BEFORE });
    const stored = (await lockCurrency(trx))!;
    const { code, conversion } = stored;
    if (conversion && (conversion.to !== to || conversion.rate !== rate))
      throw refuse(`Another conversion is not complete. Run it first: ${toCommand(conversion)}`);
    if (!conversion && code === to) throw refuse(`The amounts are in ${to} already.`);
    await closeSite(trx, ctx, actor, reason);
    if (conversion) return stored;
    const begun = { code, conversion: { to, rate, done: {} } };
    await writeCurrency(trx, begun);
    await recordAudit(trx, actor, { action: 'currency.convert', details: { from: code, to, rate, reason } });
    return begun;
  });

/** What is to be kept while rows of a table get other amounts. */
type Keeper = (
  trx: Trx,
  after: string,
  currencies: readonly [from: Currency, to: Currency],
  convert: () => Promise<string | null>,
) => Promise<string | null>;
const KEEPERS: Readonly<Record<string, Keeper>> = { ads: keepJudged, saved_searches: keepNames };

const convertNext = (ctx: AppContext, table: string): Promise<boolean> =>
  inTransaction(ctx.db, async (trx) => {
    const stored = await lockCurrency(trx);
    const { conversion } = stored ?? {};
    const after = conversion?.done[table] ?? '0';
    if (!stored || !conversion || conversion.done[table] === null) return false;
    const currency = toCurrency(conversion.to);
    const amounts = { rate: conversion.rate, least: minAmount(currency), most: maxAmount(currency) };
    const currencies = [toCurrency(stored.code), currency] as const;
    const convert = () => convertBatch(trx, table, after, currency, amounts);
    const keep = KEEPERS[table];
    const last = keep ? await keep(trx, after, currencies, convert) : await convert();
    if (table === 'offers' && last !== null) {
      const money = { currency, locale: ENGLISH_LOCALE };
      const texts = (await listOfferTexts(trx, after, last)).map(({ id, amount }) => ({
        id,
        content: `Offer: ${formatPrice(amount, money)}`,
      }));
      await writeMessageTexts(trx, texts);
    }
    await writeCurrency(trx, { ...stored, conversion: { ...conversion, done: { ...conversion.done, [table]: last } } });
    return last !== null;
  });

/**
 * Converts every amount, a batch in a transaction, which also stores how far it is: after a kill at any point the same call
 * goes on, and no amount is converted twice. The site stays closed afterwards, until servers run with the new currency.
 */
export const convertCurrency = async (
  ctx: AppContext,
  actor: Actor,
  { onProgress, ...options }: ConversionOptions,
  { reason }: AuditContext = {},
): Promise<{ from: string; to: string; rate: string }> => {
  const { code: from } = await begin(ctx, actor, options, reason);
  let batches = 0;
  for (const table of Object.keys(AMOUNTS)) while (await convertNext(ctx, table)) onProgress?.(++batches);
  const { to, rate } = options;
  await inTransaction(ctx.db, async (trx) => {
    const stored = await lockCurrency(trx);
    if (!stored?.conversion) return;
    await writeCurrency(trx, { code: to });
    await recordAudit(trx, actor, { action: 'currency.converted', details: { from, to, rate, reason } });
  });
  return { from, to, rate };
};

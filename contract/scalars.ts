import * as z from 'zod/mini';
import { readAmount } from './amount.ts';
import { nameAmounts } from './amount-rules.ts';
import { t } from './i18n.ts';
import { LIMITS } from './limits.ts';
import { getMoney, isAmount } from './money.ts';
import { says, saysTooLong } from './says.ts';

/** A positive number of at most 18 digits, which a bigint of PostgreSQL always holds. */
export const Id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, says('fields.unknownId')));

export const IdParams = z.object({ id: Id });

export const UserIdParams = z.object({ userId: Id });

export const Username = z.string().check(z.regex(/^[A-Za-z0-9_]{1,50}$/, says('fields.unknownUser')));

export const Timestamp = z.string();

export const Cursor = z.string().check(z.maxLength(200));

export const PageSize = z.optional(
  z.pipe(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, says('fields.pageSize', { max: LIMITS.pageSizeMax }))),
    z.transform((s: string) => Number(s)),
  ),
);

export const PageQuery = z.object({ cursor: z.optional(Cursor), limit: PageSize });

/** The words for a price and for the amount of an offer: that it is missing, and, by the decimals of the currency, that it is none. */
const WORDS = {
  price: { missing: 'fields.priceRequired', 0: 'fields.price_0', 2: 'fields.price_2', 3: 'fields.price_3' },
  amount: { missing: 'fields.amountRequired', 0: 'fields.amount_0', 2: 'fields.amount_2', 3: 'fields.amount_3' },
} as const;

/** "Price must be a number such as …". The currency is known by the time it is said. */
const explain = (name: keyof typeof WORDS) => ({
  error: () => t(WORDS[name][getMoney().currency.decimals as 0 | 2 | 3], nameAmounts()),
});

const createPrice = (name: keyof typeof WORDS) =>
  z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], says(WORDS[name].missing)),
      z.transform((v: string | number) => (typeof v === 'number' ? String(v) : readAmount(v))),
    ),
    z.string().check(
      z.minLength(1, says(WORDS[name].missing)),
      z.refine((text) => isAmount(text), explain(name)),
    ),
  );

/** Input: a number, or an amount as people write it, up to the largest one. Output: a numeric string. */
export const Price = createPrice('price');

/** A price of more than 0. */
export const Amount = z.pipe(createPrice('amount'), z.string().check(z.regex(/[1-9]/, says('fields.amountPositive'))));

export const PriceBound = z.optional(
  z.pipe(
    z.pipe(z.string(), z.transform(readAmount)),
    z.string().check(z.refine((text) => text === '' || isAmount(text), explain('price'))),
  ),
);

/** Whether the text is an http: or https: URL without credentials, spaces or backslashes. */
export const isWebUrl = (s: string): boolean => {
  if (/[\s\\]/.test(s)) return false;
  const url = URL.parse(s);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};

export const isHttpsUrl = (s: string): boolean => isWebUrl(s) && URL.parse(s)?.protocol === 'https:';

/** An `https:` URL without credentials; null and the empty string mean no link. */
export const ExternalLink = z.pipe(
  z.pipe(
    z.nullish(z.string()),
    z.transform((s: string | null | undefined) => s?.trim() || null),
  ),
  z.nullable(
    z.string().check(
      z.maxLength(LIMITS.externalLink, saysTooLong(LIMITS.externalLink)),
      z.refine((s) => isHttpsUrl(s), says('fields.httpsAddress')),
    ),
  ),
);

import * as z from 'zod/mini';
import { readAmount } from './amount.ts';
import { describeAmounts, describeDecimals } from './amount-rules.ts';
import { LIMITS } from './limits.ts';
import { isAmount } from './money.ts';

/** A positive number of at most 18 digits, which a bigint of PostgreSQL always holds. */
export const Id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'Unknown id'));

export const IdParams = z.object({ id: Id });

export const UserIdParams = z.object({ userId: Id });

export const Username = z.string().check(z.regex(/^[A-Za-z0-9_]{1,50}$/, 'Unknown user'));

export const Timestamp = z.string();

export const Cursor = z.string().check(z.maxLength(200));

export const PageSize = z.optional(
  z.pipe(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, `Must be 1 to ${LIMITS.pageSizeMax}`)),
    z.transform((s: string) => Number(s)),
  ),
);

export const PageQuery = z.object({ cursor: z.optional(Cursor), limit: PageSize });

/** "Price must be a number such as …". `name`: what messages call it, at the start of a sentence. */
const explain = (name: string) => () =>
  `${name} must be a number such as ${describeAmounts('from 0 to')}${describeDecimals()}`;

const createPrice = (name: string) =>
  z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], `${name} is required`),
      z.transform((v: string | number) => (typeof v === 'number' ? String(v) : readAmount(v))),
    ),
    z.string().check(
      z.minLength(1, `${name} is required`),
      z.refine((text) => isAmount(text), { error: explain(name) }),
    ),
  );

/** Input: a number, or an amount as people write it, up to the largest one. Output: a numeric string. */
export const Price = createPrice('Price');

/** A price of more than 0. */
export const Amount = z.pipe(
  createPrice('The amount'),
  z.string().check(z.regex(/[1-9]/, 'The amount must be more than 0')),
);

export const PriceBound = z.optional(
  z.pipe(
    z.pipe(z.string(), z.transform(readAmount)),
    z.string().check(z.refine((text) => text === '' || isAmount(text), { error: explain('Price') })),
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
      z.maxLength(LIMITS.externalLink, `Must be at most ${LIMITS.externalLink} characters`),
      z.refine((s) => isHttpsUrl(s), 'Must be an https:// address'),
    ),
  ),
);

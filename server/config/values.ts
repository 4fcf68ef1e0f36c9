import * as z from 'zod/mini';
import { isLanguage, LANGUAGES, WRITTEN_LANGUAGES } from '../../contract/languages.ts';
import { CURRENCY_CODES, toCurrency } from './currencies.ts';
import { SEARCH_LANGUAGES } from './search-languages.ts';

/*
 * What a variable of the environment may hold: each reads a text and gives a value, or says what the text must be.
 */

/** Parses a URL as pg does: the host may be missing if a parameter names a socket. */
export const parsePostgresUrl = (url: string): URL => new URL(url.replace('@/', '@localhost/'));

/** Whether PostgreSQL and JavaScript know this time zone. Refuses offsets: the two read their signs differently. */
export const isTimeZone = (name: string): boolean => {
  // loading Intl's data is slow, and most installations use UTC
  if (name === 'UTC') return true;
  try {
    return /^[A-Z]/i.test(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
};

export const text = z.string();
export const optionalText = z.optional(z.string());
export const onOff = z.pipe(
  z.pipe(
    z.string().check(z.regex(/^(on|off|true|false)$/, 'must be on or off')),
    z.transform((s: string) => s === 'on' || s === 'true'),
  ),
  z.boolean(),
);
export const whole = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number')),
    z.pipe(
      z.transform((s: string) => Number(s)),
      z.number().check(z.gte(min, `must be at least ${min}`), z.lte(max, `must be at most ${max}`)),
    ),
  );
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
export const duration = z.pipe(
  z.string().check(z.regex(/^\d{1,6}(ms|s|m|h)$/, 'must be a duration such as 500ms, 5s or 2m')),
  z.transform((s: string) => {
    const [, number = '0', unit = 's'] = /^(\d+)([a-z]+)$/.exec(s) ?? [];
    return Number(number) * UNITS[unit as keyof typeof UNITS];
  }),
);
const DAY_MS = 86_400_000;
/** The farthest that a clock may be moved, in milliseconds. */
export const MAX_CLOCK_OFFSET = 3650 * DAY_MS;
export const clockOffset = z.pipe(
  z.string().check(z.regex(/^\d{1,6}[smhd]$/, 'must be a duration such as 49h or 8d')),
  z.pipe(
    z.transform((s: string) => Number(s.slice(0, -1)) * { ...UNITS, d: DAY_MS }[s.slice(-1) as 's' | 'm' | 'h' | 'd']),
    z.number().check(z.lte(MAX_CLOCK_OFFSET, 'must be at most 3650d')),
  ),
);
// A # or / in a password changes the URL. Other parsers would print the password in their error.
const isAddress = (parse: (s: string) => URL) =>
  z.refine<string>((s) => {
    try {
      decodeURIComponent(s);
      const { pathname, hash } = parse(s);
      return !`${pathname}${hash}`.includes('@');
    } catch {
      return false;
    }
  }, 'is no address: write # as %23, % as %25, / as %2F, ? as %3F, @ as %40 in its password');
export const postgresUrl = z
  .string()
  .check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'), isAddress(parsePostgresUrl));
export const smtpUrl = z.string().check(
  z.regex(/^smtps?:\/\/./, 'must start with smtp:// or smtps://'),
  isAddress((s) => new URL(s)),
);
export const httpUrl = z
  .string()
  .check(z.refine((s) => /^https?:$/.test(URL.parse(s)?.protocol ?? ''), 'must be an http(s) address'));
export const origin = z.pipe(
  httpUrl,
  z.pipe(
    z.transform((s: string) => s.replace(/\/$/, '')),
    z.string().check(z.refine((s) => URL.parse(s)?.origin === s, 'must be an origin such as https://market.example')),
  ),
);
export const secrets = z.pipe(
  z.string(),
  z.pipe(
    z.transform((s: string) => s.split(',').map((key) => key.trim())),
    z
      .array(z.string().check(z.refine((key) => Buffer.byteLength(key) >= 32, 'each key must have at least 32 bytes')))
      .check(z.minLength(1), z.maxLength(5, 'at most five keys')),
  ),
);
export const base64Url = (bytes: number) =>
  z
    .string()
    .check(
      z.refine(
        (s) => /^[\w-]+$/.test(s) && Buffer.from(s, 'base64url').length === bytes,
        `must be ${bytes} bytes in base64url`,
      ),
    );
const ONLY_SEARCHED = `must be some of ${SEARCH_LANGUAGES.join(',')}`;
export const searchLanguages = z.pipe(
  z.string(),
  z.pipe(
    z.transform((s: string) => [...new Set(s.split(',').map((code) => code.trim().toLowerCase()))]),
    z
      .array(z.string().check(z.refine((code) => SEARCH_LANGUAGES.includes(code), ONLY_SEARCHED)))
      .check(z.minLength(1), z.maxLength(10, 'must be at most ten languages')),
  ),
);
export const isWritten = (code: string): boolean => (WRITTEN_LANGUAGES as readonly string[]).includes(code);
export const ONLY_WRITTEN = `must be some of ${WRITTEN_LANGUAGES.join(',')}`;
/** Codes in any case: "pt-br" is "pt-BR". */
export const locales = z.pipe(
  z.string(),
  z.pipe(
    z.transform((s: string) =>
      [...new Set(s.split(',').map((code) => code.trim()))].map(
        (code) => LANGUAGES.find((known) => known.toLowerCase() === code.toLowerCase()) ?? code,
      ),
    ),
    z.array(z.string().check(z.refine(isLanguage, ONLY_WRITTEN))),
  ),
);
export const currency = z.pipe(
  z.string(),
  z.pipe(
    z.transform((s: string) => s.trim().toUpperCase()),
    z.pipe(
      z
        .string()
        .check(z.refine((code) => CURRENCY_CODES.includes(code), `must be one of ${CURRENCY_CODES.join(', ')}`)),
      z.transform(toCurrency),
    ),
  ),
);
export const handle = z.optional(
  z.pipe(
    text,
    z.transform((s: string) => s.replace(/^@/, '')),
  ),
);

import * as z from 'zod/mini';
import { parsePostgresUrl } from '../lib/postgres-url.ts';

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
    const [, number = '0', unit = 's'] = /^(\d+)(\w+)$/.exec(s) ?? [];
    return Number(number) * UNITS[unit as keyof typeof UNITS];
  }),
);
// a # or / in a password makes another address of it, or none; nobody after us says so without printing it
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
export const handle = z.optional(
  z.pipe(
    text,
    z.transform((s: string) => s.replace(/^@/, '')),
  ),
);

import * as z from 'zod/mini';
import { isLanguage, LANGUAGES } from '../../contract/languages.ts';
import { DEFAULT_CURRENCY } from '../../contract/money.ts';
import { CURRENCY_CODES, toCurrency } from './currencies.ts';

export type ConfigGroup =
  | 'server'
  | 'site'
  | 'database'
  | 'sign-in'
  | 'x'
  | 'images'
  | 'limits'
  | 'mail'
  | 'push'
  | 'observability';

export interface ConfigVariable<T extends z.ZodMiniType = z.ZodMiniType> {
  name: string;
  group: ConfigGroup;
  schema: T;
  default?: string;
  requiredInProduction?: boolean;
  secret?: boolean;
  description: string;
}

export const STORE_KINDS = ['database', 'filesystem', 's3'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

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

const text = z.string();
const optionalText = z.optional(z.string());
const onOff = z.pipe(
  z.pipe(
    z.string().check(z.regex(/^(on|off|true|false)$/, 'must be on or off')),
    z.transform((s: string) => s === 'on' || s === 'true'),
  ),
  z.boolean(),
);
const whole = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number')),
    z.pipe(
      z.transform((s: string) => Number(s)),
      z.number().check(z.gte(min, `must be at least ${min}`), z.lte(max, `must be at most ${max}`)),
    ),
  );
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const duration = z.pipe(
  z.string().check(z.regex(/^\d{1,6}(ms|s|m|h)$/, 'must be a duration such as 500ms, 5s or 2m')),
  z.transform((s: string) => {
    const [, number = '0', unit = 's'] = /^(\d+)([a-z]+)$/.exec(s) ?? [];
    return Number(number) * UNITS[unit as keyof typeof UNITS];
  }),
);
const DAY_MS = 86_400_000;
/** The farthest that a clock may be moved, in milliseconds. */
export const MAX_CLOCK_OFFSET = 3650 * DAY_MS;
const clockOffset = z.pipe(
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
const postgresUrl = z
  .string()
  .check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'), isAddress(parsePostgresUrl));
const smtpUrl = z.string().check(
  z.regex(/^smtps?:\/\/./, 'must start with smtp:// or smtps://'),
  isAddress((s) => new URL(s)),
);
const httpUrl = z
  .string()
  .check(z.refine((s) => /^https?:$/.test(URL.parse(s)?.protocol ?? ''), 'must be an http(s) address'));
const origin = z.pipe(
  httpUrl,
  z.pipe(
    z.transform((s: string) => s.replace(/\/$/, '')),
    z.string().check(z.refine((s) => URL.parse(s)?.origin === s, 'must be an origin such as https://market.example')),
  ),
);
const secrets = z.pipe(
  z.string(),
  z.pipe(
    z.transform((s: string) => s.split(',').map((key) => key.trim())),
    z
      .array(z.string().check(z.refine((key) => Buffer.byteLength(key) >= 32, 'each key must have at least 32 bytes')))
      .check(z.minLength(1), z.maxLength(5, 'at most five keys')),
  ),
);
const base64Url = (bytes: number) =>
  z
    .string()
    .check(
      z.refine(
        (s) => /^[\w-]+$/.test(s) && Buffer.from(s, 'base64url').length === bytes,
        `must be ${bytes} bytes in base64url`,
      ),
    );
const languages = z.pipe(
  z.string(),
  z.pipe(
    z.transform((s: string) => [...new Set(s.split(',').map((code) => code.trim().toLowerCase()))]),
    z
      .array(z.string().check(z.regex(/^[a-z]{2,3}$/, 'must be ISO codes such as en,de')))
      .check(z.minLength(1), z.maxLength(10, 'at most ten languages')),
  ),
);
/** Codes in any case: "pt-br" is "pt-BR". */
const locales = z.pipe(
  z.string(),
  z.pipe(
    z.transform((s: string) =>
      [...new Set(s.split(',').map((code) => code.trim()))].map(
        (code) => LANGUAGES.find((known) => known.toLowerCase() === code.toLowerCase()) ?? code,
      ),
    ),
    z.array(z.string().check(z.refine(isLanguage, `must be some of ${LANGUAGES.join(',')}`))),
  ),
);
const currency = z.pipe(
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
const handle = z.optional(
  z.pipe(
    text,
    z.transform((s: string) => s.replace(/^@/, '')),
  ),
);

type Options = Pick<ConfigVariable, 'default' | 'requiredInProduction' | 'secret'>;

const setting = <T extends z.ZodMiniType, O extends Options>(
  name: string,
  schema: T,
  description: string,
  options: O = {} as O,
) => ({ name, schema, description, ...options });

const inGroup = <T extends Record<string, Omit<ConfigVariable, 'group'>>>(group: ConfigGroup, list: T) =>
  Object.fromEntries(Object.entries(list).map(([key, variable]) => [key, { ...variable, group }])) as {
    readonly [K in keyof T]: T[K] & { group: ConfigGroup };
  };

/** Every setting of the server, by its key in ConfigValues. docs.ts generates docs/CONFIGURATION.md and .env.example. */
export const variables = {
  ...inGroup('server', {
    nodeEnv: setting(
      'NODE_ENV',
      z.enum(['production', 'development', 'test']),
      'production turns on every refusal that a public site needs',
      { default: 'development' },
    ),
    port: setting('PORT', whole(0, 65535), 'Port of the site', { default: '8080' }),
    host: setting('HOST', text, 'Address to listen on', { default: '0.0.0.0' }),
    publicUrl: setting(
      'PUBLIC_URL',
      origin,
      "The address people use, such as https://market.example; the only source of links, of the sign-in callback and of the cookie's Secure",
      { default: 'http://localhost:8080', requiredInProduction: true },
    ),
    hsts: setting(
      'HSTS',
      z.enum(['host', 'subdomains']),
      'Whom browsers are told to reach by https only, for a year, if PUBLIC_URL is https: this host, or its subdomains too',
      { default: 'host' },
    ),
    trustProxyHops: setting(
      'TRUST_PROXY_HOPS',
      whole(0, 10),
      "Reverse proxies in front; the client's address is taken that many places from the right of X-Forwarded-For",
      { default: '0' },
    ),
    shutdownDelay: setting(
      'SHUTDOWN_DELAY',
      duration,
      'How long to go on serving after SIGTERM while load balancers take the replica out',
      { default: '5s' },
    ),
    shutdownTimeout: setting('SHUTDOWN_TIMEOUT', duration, 'How long running requests may take to finish after that', {
      default: '25s',
    }),
    migrateOnStart: setting('MIGRATE_ON_START', onOff, 'Migrate the database before serving; for a single container', {
      default: 'off',
    }),
    timeZone: setting('TZ', text, 'Time zone of "today" in the statistics', { default: 'UTC' }),
  }),
  ...inGroup('site', {
    siteName: setting(
      'SITE_NAME',
      text.check(z.maxLength(50)),
      "The marketplace's name, until administrators give it another one",
      { default: 'Tradepost' },
    ),
    siteXHandle: setting('SITE_X_HANDLE', handle, "The marketplace's own X handle, for the follow link and the cards"),
    currency: setting(
      'CURRENCY',
      currency,
      'Currency of all prices, by ISO 4217, such as EUR; with ads in another one the server does not start: marketctl currency convert',
      { default: DEFAULT_CURRENCY.code },
    ),
    locales: setting(
      'LOCALES',
      locales,
      "Languages of the pages and mails, separated by commas; the first is the marketplace's own: en, de, fr, es, pt-BR, ja, ar",
      { default: 'en' },
    ),
    searchLanguages: setting(
      'SEARCH_LANGUAGES',
      z.optional(languages),
      'Languages of the ads, ISO codes separated by commas: their endings, synonyms and words such as "the" are known. Default: those of LOCALES',
    ),
    productFeed: setting(
      'PRODUCT_FEED',
      onOff,
      'Whether /feed.products.tsv and /feed.products.rss list the ads that are for sale, for Google Merchant and Meta',
      { default: 'off' },
    ),
    supportEmail: setting('SUPPORT_EMAIL', text, 'Address shown for help', { default: 'support@example.com' }),
    legalEmail: setting('LEGAL_EMAIL', text, 'Address shown in the terms', { default: 'legal@example.com' }),
  }),
  ...inGroup('database', {
    databaseUrl: setting('DATABASE_URL', postgresUrl, 'PostgreSQL 15 or newer', {
      requiredInProduction: true,
      default: 'postgres://localhost:5432/tradepost',
      secret: true,
    }),
    databaseDirectUrl: setting(
      'DATABASE_DIRECT_URL',
      z.optional(postgresUrl),
      'The same database past a transaction pooler, for migrations, jobs and LISTEN; default DATABASE_URL',
      { secret: true },
    ),
    databaseReplicaUrl: setting(
      'DATABASE_REPLICA_URL',
      z.optional(postgresUrl),
      'Read replica for lists, search and statistics; falls back to DATABASE_URL',
      { secret: true },
    ),
    databasePoolMax: setting('DATABASE_POOL_MAX', whole(2, 200), 'Connections of one replica', { default: '10' }),
    clockOffset: setting(
      'CLOCK_OFFSET',
      clockOffset,
      'Moves the clock of server and database ahead, by 49h or 8d, to see time pass; refused in production',
      { default: '0s' },
    ),
  }),
  ...inGroup('sign-in', {
    sessionKeys: setting(
      'SESSION_KEYS',
      secrets,
      'Keys of the session cookie, each of 32 bytes or more, separated by commas: the first signs, all verify',
      { requiredInProduction: true, default: 'development-only-session-key-0123456789', secret: true },
    ),
    authTestUsers: setting('AUTH_TEST_USERS', onOff, 'Honour X-Test-User from loopback; refused in production', {
      default: 'off',
    }),
  }),
  ...inGroup('x', {
    xMode: setting(
      'X_MODE',
      z.enum(['live', 'sandbox']),
      'live speaks to X, sandbox to the simulator at X_SANDBOX_URL',
      { default: 'live' },
    ),
    xSandboxUrl: setting('X_SANDBOX_URL', z.optional(origin), 'Address of the X sandbox; refused in production'),
    xClientId: setting('X_CLIENT_ID', optionalText, 'OAuth 2.0 client id of your X app', {
      requiredInProduction: true,
    }),
    xClientSecret: setting('X_CLIENT_SECRET', optionalText, 'OAuth 2.0 client secret of your X app', {
      requiredInProduction: true,
      secret: true,
    }),
    xPosting: setting(
      'X_POSTING',
      z.enum(['off', 'intent', 'api']),
      "off; intent offers X's own composer; api posts for sellers who ask for it and costs credits",
      { default: 'intent' },
    ),
    xEmail: setting('X_EMAIL', onOff, 'Ask X for the email address at sign-in', { default: 'off' }),
    tokenEncKey: setting(
      'TOKEN_ENC_KEY',
      z.optional(secrets),
      'Keys that encrypt stored X tokens and secrets of webhooks, each of 32 bytes or more, separated by commas: the first encrypts, all decrypt',
      { secret: true },
    ),
  }),
  ...inGroup('images', {
    imageStore: setting('IMAGE_STORE', z.enum(STORE_KINDS), 'Where images are stored', { default: 'database' }),
    imageDir: setting('IMAGE_DIR', text, 'Folder of the filesystem store', { default: './data/images' }),
    cacheDir: setting('CACHE_DIR', text, 'Folder of the image cache; may be emptied at any time', {
      default: './data/cache',
    }),
    cacheDiskMb: setting('CACHE_DISK_MB', whole(1, 1_000_000), 'Megabytes of images kept in CACHE_DIR', {
      default: '1024',
    }),
    cacheMemoryMb: setting('CACHE_MEMORY_MB', whole(0, 65_536), 'Megabytes of images kept in memory; 0: none', {
      default: '32',
    }),
    s3Endpoint: setting('S3_ENDPOINT', z.optional(httpUrl), 'Address of the S3 service'),
    s3Region: setting('S3_REGION', text, 'Region', { default: 'us-east-1' }),
    s3Bucket: setting('S3_BUCKET', optionalText, 'Bucket'),
    s3AccessKeyId: setting('S3_ACCESS_KEY_ID', optionalText, 'Access key', { secret: true }),
    s3SecretAccessKey: setting('S3_SECRET_ACCESS_KEY', optionalText, 'Secret key', { secret: true }),
    s3ForcePathStyle: setting('S3_FORCE_PATH_STYLE', onOff, 'Bucket in the path instead of the host name', {
      default: 'on',
    }),
  }),
  ...inGroup('limits', {
    auditDays: setting('AUDIT_DAYS', whole(30, 36_500), 'Days that entries of the audit log are kept', {
      default: '730',
    }),
    contactDays: setting('CONTACT_DAYS', whole(30, 36_500), 'Days that messages of the contact form are kept', {
      default: '730',
    }),
    soldListedDays: setting('SOLD_LISTED_DAYS', whole(0, 3650), 'Days that a sold ad stays in the lists', {
      default: '7',
    }),
    rateLimitScale: setting(
      'RATE_LIMIT_SCALE',
      whole(0, 1_000_000),
      'Multiplies every rate limit; 0 turns them off outside production',
      { default: '1' },
    ),
  }),
  ...inGroup('mail', {
    contactEmail: setting('CONTACT_EMAIL', optionalText, 'Who gets the contact form by mail; default SUPPORT_EMAIL'),
    smtpUrl: setting(
      'SMTP_URL',
      z.optional(smtpUrl),
      'Mail server; without it there are no notifications by mail, and the contact form is stored only',
      { secret: true },
    ),
    mailPerSecond: setting(
      'MAIL_PER_SECOND',
      whole(1, 1000),
      'Mails that all replicas together send in a second; those that go to many people use at most half',
      { default: '10' },
    ),
    mailConnections: setting(
      'MAIL_CONNECTIONS',
      whole(2, 100),
      'Connections of one replica to the mail server; mail that goes to many people uses at most half',
      { default: '4' },
    ),
  }),
  ...inGroup('push', {
    vapidPublicKey: setting(
      'VAPID_PUBLIC_KEY',
      z.optional(base64Url(65)),
      'Public key that identifies this site to push services; by default created once and kept in the database. A change ends all push subscriptions',
    ),
    vapidPrivateKey: setting('VAPID_PRIVATE_KEY', z.optional(base64Url(32)), 'The private key to VAPID_PUBLIC_KEY', {
      secret: true,
    }),
    vapidSubject: setting(
      'VAPID_SUBJECT',
      z.optional(z.string().check(z.regex(/^(mailto:[^@\n]+@|https:\/\/)./, 'must be mailto: or https:'))),
      'How push services reach you: mailto:address or https://page; default SUPPORT_EMAIL',
    ),
  }),
  ...inGroup('observability', {
    logLevel: setting(
      'LOG_LEVEL',
      z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
      'Least severe line that is logged',
      { default: 'info' },
    ),
    metricsPort: setting('METRICS_PORT', whole(0, 65535), 'Port of /metrics for Prometheus; 0 is off', {
      default: '0',
    }),
    metricsHost: setting(
      'METRICS_HOST',
      text,
      'Address on which /metrics listens. The default reaches no other machine or container',
      { default: '127.0.0.1' },
    ),
    metricsToken: setting('METRICS_TOKEN', optionalText, 'Bearer token that /metrics asks for', { secret: true }),
    otelEndpoint: setting(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      z.optional(httpUrl),
      'Sends traces there. Answers from memory then take the way of all others, to be in them: they cost more',
    ),
    otelServiceName: setting('OTEL_SERVICE_NAME', text, 'Name of this service in traces', { default: 'tradepost' }),
  }),
};

export type ConfigValues = { readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']> };

import * as z from 'zod/mini';
import { WRITTEN_LANGUAGES } from '../../contract/languages.ts';
import { DEFAULT_CURRENCY } from '../../contract/money.ts';
import { SEARCH_LANGUAGES } from './search-languages.ts';
import {
  base64Url,
  clockOffset,
  currency,
  duration,
  handle,
  httpUrl,
  locales,
  onOff,
  optionalText,
  origin,
  postgresUrl,
  searchLanguages,
  secrets,
  smtpUrl,
  text,
  whole,
} from './values.ts';

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
    timeZone: setting(
      'TZ',
      text,
      'Time zone of days: "today" in the statistics, the days and times in notifications and mails to people whose browser has not told its own, and the hour of their daily mails of saved searches',
      { default: 'UTC' },
    ),
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
      `Languages of the pages and mails, separated by commas; the first is the marketplace's own: ${WRITTEN_LANGUAGES.join(', ')}`,
      { default: 'en' },
    ),
    searchLanguages: setting(
      'SEARCH_LANGUAGES',
      z.optional(searchLanguages),
      `Languages of the ads, separated by commas, at most ten: their endings, synonyms and words such as "the" are known. Default: those of LOCALES. Some of ${SEARCH_LANGUAGES.join(', ')}`,
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

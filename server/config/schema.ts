import * as z from 'zod/mini';
import { STORE_KINDS } from '../integrations/storage/storage.ts';

export type ConfigGroup =
  | 'server'
  | 'site'
  | 'database'
  | 'sign-in'
  | 'x'
  | 'images'
  | 'limits'
  | 'mail'
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
    const [, number = '0', unit = 's'] = /^(\d+)(\w+)$/.exec(s) ?? [];
    return Number(number) * UNITS[unit as keyof typeof UNITS];
  }),
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
const handle = z.optional(
  z.pipe(
    text,
    z.transform((s: string) => s.replace(/^@/, '')),
  ),
);

const inGroup = <T extends Record<string, Omit<ConfigVariable, 'group'>>>(group: ConfigGroup, list: T) =>
  Object.fromEntries(Object.entries(list).map(([key, variable]) => [key, { ...variable, group }])) as {
    readonly [K in keyof T]: T[K] & { group: ConfigGroup };
  };

/** Every setting of the server, by its key in ConfigValues. docs.ts generates docs/CONFIGURATION.md and .env.example. */
export const variables = {
  ...inGroup('server', {
    nodeEnv: {
      name: 'NODE_ENV',
      schema: z.enum(['production', 'development', 'test']),
      default: 'development',
      description: 'production turns on every refusal that a public site needs',
    },
    port: { name: 'PORT', schema: whole(0, 65535), default: '8080', description: 'Port of the site' },
    host: { name: 'HOST', schema: text, default: '0.0.0.0', description: 'Address to listen on' },
    publicUrl: {
      name: 'PUBLIC_URL',
      schema: origin,
      default: 'http://localhost:8080',
      requiredInProduction: true,
      description:
        "The address people use, such as https://market.example; the only source of links, of the sign-in callback and of the cookie's Secure",
    },
    trustProxyHops: {
      name: 'TRUST_PROXY_HOPS',
      schema: whole(0, 10),
      default: '0',
      description:
        "Reverse proxies in front; the client's address is taken that many places from the right of X-Forwarded-For",
    },
    shutdownDelay: {
      name: 'SHUTDOWN_DELAY',
      schema: duration,
      default: '5s',
      description: 'How long to go on serving after SIGTERM while load balancers take the replica out',
    },
    shutdownTimeout: {
      name: 'SHUTDOWN_TIMEOUT',
      schema: duration,
      default: '25s',
      description: 'How long running requests may take to finish after that',
    },
    migrateOnStart: {
      name: 'MIGRATE_ON_START',
      schema: onOff,
      default: 'off',
      description: 'Migrate the database before serving; meant for a single container',
    },
    timeZone: { name: 'TZ', schema: text, default: 'UTC', description: 'Time zone of "today" in the statistics' },
  }),
  ...inGroup('site', {
    siteName: {
      name: 'SITE_NAME',
      schema: text.check(z.maxLength(50)),
      default: 'Tradepost',
      description: "The marketplace's name",
    },
    siteXHandle: {
      name: 'SITE_X_HANDLE',
      schema: handle,
      description: "The marketplace's own X handle, for the follow link and the cards",
    },
    supportEmail: {
      name: 'SUPPORT_EMAIL',
      schema: text,
      default: 'support@example.com',
      description: 'Address shown for help',
    },
    legalEmail: {
      name: 'LEGAL_EMAIL',
      schema: text,
      default: 'legal@example.com',
      description: 'Address shown in the terms',
    },
  }),
  ...inGroup('database', {
    databaseUrl: {
      name: 'DATABASE_URL',
      schema: postgresUrl,
      requiredInProduction: true,
      default: 'postgres://localhost:5432/tradepost',
      secret: true,
      description: 'PostgreSQL 15 or newer',
    },
    databaseDirectUrl: {
      name: 'DATABASE_DIRECT_URL',
      schema: z.optional(postgresUrl),
      secret: true,
      description: 'The same database past a transaction pooler, for migrations, jobs and LISTEN; default DATABASE_URL',
    },
    databaseReplicaUrl: {
      name: 'DATABASE_REPLICA_URL',
      schema: z.optional(postgresUrl),
      secret: true,
      description: 'Read replica for lists, search and statistics; falls back to DATABASE_URL',
    },
    databasePoolMax: {
      name: 'DATABASE_POOL_MAX',
      schema: whole(2, 200),
      default: '10',
      description: 'Connections of one replica',
    },
  }),
  ...inGroup('sign-in', {
    sessionKeys: {
      name: 'SESSION_KEYS',
      schema: secrets,
      requiredInProduction: true,
      default: 'development-only-session-key-0123456789',
      secret: true,
      description:
        'Keys of the session cookie, each of 32 bytes or more, separated by commas: the first signs, all verify',
    },
    authTestUsers: {
      name: 'AUTH_TEST_USERS',
      schema: onOff,
      default: 'off',
      description: 'Honour X-Test-User from loopback; refused in production',
    },
  }),
  ...inGroup('x', {
    xMode: {
      name: 'X_MODE',
      schema: z.enum(['live', 'sandbox']),
      default: 'live',
      description: 'live speaks to X, sandbox to the simulator at X_SANDBOX_URL',
    },
    xSandboxUrl: {
      name: 'X_SANDBOX_URL',
      schema: z.optional(origin),
      description: 'Address of the X sandbox; refused in production',
    },
    xClientId: {
      name: 'X_CLIENT_ID',
      schema: optionalText,
      requiredInProduction: true,
      description: 'OAuth 2.0 client id of your X app',
    },
    xClientSecret: {
      name: 'X_CLIENT_SECRET',
      schema: optionalText,
      requiredInProduction: true,
      secret: true,
      description: 'OAuth 2.0 client secret of your X app',
    },
    xPosting: {
      name: 'X_POSTING',
      schema: z.enum(['off', 'intent', 'api']),
      default: 'intent',
      description: "off; intent offers X's own composer; api posts for sellers who ask for it and costs credits",
    },
    xEmail: { name: 'X_EMAIL', schema: onOff, default: 'off', description: 'Ask X for the email address at sign-in' },
    tokenEncKey: {
      name: 'TOKEN_ENC_KEY',
      schema: z.optional(secrets),
      secret: true,
      description:
        'Keys that encrypt stored X tokens, each of 32 bytes or more, separated by commas: the first encrypts, all decrypt',
    },
  }),
  ...inGroup('images', {
    imageStore: {
      name: 'IMAGE_STORE',
      schema: z.enum(STORE_KINDS),
      default: 'database',
      description: 'Where pictures are kept',
    },
    imageDir: {
      name: 'IMAGE_DIR',
      schema: text,
      default: './data/images',
      description: 'Folder of the filesystem store',
    },
    cacheDir: {
      name: 'CACHE_DIR',
      schema: text,
      default: './data/cache',
      description: 'Folder of the picture cache; may be emptied at any time',
    },
    cacheDiskMb: {
      name: 'CACHE_DISK_MB',
      schema: whole(1, 1_000_000),
      default: '1024',
      description: 'Megabytes of pictures kept in CACHE_DIR',
    },
    cacheMemoryMb: {
      name: 'CACHE_MEMORY_MB',
      schema: whole(0, 65_536),
      default: '32',
      description: 'Megabytes of pictures kept in memory; 0: none',
    },
    s3Endpoint: { name: 'S3_ENDPOINT', schema: z.optional(httpUrl), description: 'Address of the S3 service' },
    s3Region: { name: 'S3_REGION', schema: text, default: 'us-east-1', description: 'Region' },
    s3Bucket: { name: 'S3_BUCKET', schema: optionalText, description: 'Bucket' },
    s3AccessKeyId: { name: 'S3_ACCESS_KEY_ID', schema: optionalText, secret: true, description: 'Access key' },
    s3SecretAccessKey: { name: 'S3_SECRET_ACCESS_KEY', schema: optionalText, secret: true, description: 'Secret key' },
    s3ForcePathStyle: {
      name: 'S3_FORCE_PATH_STYLE',
      schema: onOff,
      default: 'on',
      description: 'Bucket in the path instead of the host name',
    },
  }),
  ...inGroup('limits', {
    soldListedDays: {
      name: 'SOLD_LISTED_DAYS',
      schema: whole(0, 3650),
      default: '7',
      description: 'Days that a sold ad stays in the lists',
    },
    rateLimitScale: {
      name: 'RATE_LIMIT_SCALE',
      schema: whole(0, 1_000_000),
      default: '1',
      description: 'Multiplies every rate limit; 0 turns them off outside production',
    },
  }),
  ...inGroup('mail', {
    contactEmail: {
      name: 'CONTACT_EMAIL',
      schema: optionalText,
      description: 'Who gets the contact form by mail; default SUPPORT_EMAIL',
    },
    smtpUrl: {
      name: 'SMTP_URL',
      schema: z.optional(smtpUrl),
      secret: true,
      description: 'Mail server; without it the contact form is stored only',
    },
  }),
  ...inGroup('observability', {
    logLevel: {
      name: 'LOG_LEVEL',
      schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
      default: 'info',
      description: 'Least severe line that is logged',
    },
    metricsPort: {
      name: 'METRICS_PORT',
      schema: whole(0, 65535),
      default: '0',
      description: 'Port of /metrics for Prometheus; 0 is off',
    },
    metricsToken: {
      name: 'METRICS_TOKEN',
      schema: optionalText,
      secret: true,
      description: 'Bearer token that /metrics asks for',
    },
    otelEndpoint: {
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      schema: z.optional(httpUrl),
      description:
        'Sends traces there. Answers from memory then take the way of all others, to be in them: they cost more',
    },
    otelServiceName: {
      name: 'OTEL_SERVICE_NAME',
      schema: text,
      default: 'tradepost',
      description: 'Name of this service in traces',
    },
  }),
};

export type ConfigValues = { readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']> };

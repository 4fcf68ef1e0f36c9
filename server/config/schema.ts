import * as z from 'zod/mini';
import {
  duration,
  handle,
  httpUrl,
  onOff,
  optionalText,
  origin,
  postgresUrl,
  secrets,
  smtpUrl,
  text,
  whole,
} from './kinds.ts';

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
  /** Environment variable; `NAME_FILE` names a file that holds it instead. */
  name: string;
  group: ConfigGroup;
  schema: T;
  /** Value outside production and, unless `requiredInProduction`, in it. */
  default?: string;
  requiredInProduction?: boolean;
  secret?: boolean;
  description: string;
}

const variable = <T extends z.ZodMiniType>(v: ConfigVariable<T>): ConfigVariable<T> => v;

/** Every setting of the server. `marketctl config docs` and .env.example are generated from this list. */
export const variables = {
  nodeEnv: variable({
    name: 'NODE_ENV',
    group: 'server',
    schema: z.enum(['production', 'development', 'test']),
    default: 'development',
    description: 'production turns on every refusal that a public site needs',
  }),
  port: variable({
    name: 'PORT',
    group: 'server',
    schema: whole(0, 65535),
    default: '8080',
    description: 'Port of the site',
  }),
  host: variable({
    name: 'HOST',
    group: 'server',
    schema: text,
    default: '0.0.0.0',
    description: 'Address to listen on',
  }),
  publicUrl: variable({
    name: 'PUBLIC_URL',
    group: 'server',
    schema: origin,
    default: 'http://localhost:8080',
    requiredInProduction: true,
    description:
      "The address people use, such as https://market.example; the only source of links, of the sign-in callback and of the cookie's Secure",
  }),
  trustProxyHops: variable({
    name: 'TRUST_PROXY_HOPS',
    group: 'server',
    schema: whole(0, 10),
    default: '0',
    description:
      "Reverse proxies in front; the client's address is taken that many places from the right of X-Forwarded-For",
  }),
  shutdownDelay: variable({
    name: 'SHUTDOWN_DELAY',
    group: 'server',
    schema: duration,
    default: '5s',
    description: 'How long to go on serving after SIGTERM while load balancers take the replica out',
  }),
  shutdownTimeout: variable({
    name: 'SHUTDOWN_TIMEOUT',
    group: 'server',
    schema: duration,
    default: '25s',
    description: 'How long running requests may take to finish after that',
  }),
  migrateOnStart: variable({
    name: 'MIGRATE_ON_START',
    group: 'server',
    schema: onOff,
    default: 'off',
    description: 'Migrate the database before serving; meant for a single container',
  }),
  timeZone: variable({
    name: 'TZ',
    group: 'server',
    schema: text,
    default: 'UTC',
    description: 'Time zone of "today" in the statistics',
  }),

  siteName: variable({
    name: 'SITE_NAME',
    group: 'site',
    schema: text.check(z.maxLength(50)),
    default: 'Tradepost',
    description: "The marketplace's name",
  }),
  siteXHandle: variable({
    name: 'SITE_X_HANDLE',
    group: 'site',
    schema: handle,
    description: "The marketplace's own X handle, for the follow link and the cards",
  }),
  supportEmail: variable({
    name: 'SUPPORT_EMAIL',
    group: 'site',
    schema: text,
    default: 'support@example.com',
    description: 'Address shown for help',
  }),
  legalEmail: variable({
    name: 'LEGAL_EMAIL',
    group: 'site',
    schema: text,
    default: 'legal@example.com',
    description: 'Address shown in the terms',
  }),

  databaseUrl: variable({
    name: 'DATABASE_URL',
    group: 'database',
    schema: postgresUrl,
    requiredInProduction: true,
    default: 'postgres://localhost:5432/tradepost',
    secret: true,
    description: 'PostgreSQL 15 or newer',
  }),
  databaseDirectUrl: variable({
    name: 'DATABASE_DIRECT_URL',
    group: 'database',
    schema: z.optional(postgresUrl),
    secret: true,
    description: 'The same database past a transaction pooler, for migrations, jobs and LISTEN; default DATABASE_URL',
  }),
  databaseReplicaUrl: variable({
    name: 'DATABASE_REPLICA_URL',
    group: 'database',
    schema: z.optional(postgresUrl),
    secret: true,
    description: 'Read replica for lists, search and statistics; falls back to DATABASE_URL',
  }),
  databasePoolMax: variable({
    name: 'DATABASE_POOL_MAX',
    group: 'database',
    schema: whole(2, 200),
    default: '10',
    description: 'Connections of one replica',
  }),

  sessionKeys: variable({
    name: 'SESSION_KEYS',
    group: 'sign-in',
    schema: secrets,
    requiredInProduction: true,
    default: 'development-only-session-key-0123456789',
    secret: true,
    description:
      'Keys of the session cookie, each of 32 bytes or more, separated by commas: the first signs, all verify',
  }),
  authTestUsers: variable({
    name: 'AUTH_TEST_USERS',
    group: 'sign-in',
    schema: onOff,
    default: 'off',
    description: 'Honour X-Test-User from loopback; refused in production',
  }),

  xMode: variable({
    name: 'X_MODE',
    group: 'x',
    schema: z.enum(['live', 'sandbox']),
    default: 'live',
    description: 'live speaks to X, sandbox to the simulator at X_SANDBOX_URL',
  }),
  xSandboxUrl: variable({
    name: 'X_SANDBOX_URL',
    group: 'x',
    schema: z.optional(origin),
    description: 'Address of the X sandbox; refused in production',
  }),
  xClientId: variable({
    name: 'X_CLIENT_ID',
    group: 'x',
    schema: optionalText,
    requiredInProduction: true,
    description: 'OAuth 2.0 client id of your X app',
  }),
  xClientSecret: variable({
    name: 'X_CLIENT_SECRET',
    group: 'x',
    schema: optionalText,
    requiredInProduction: true,
    secret: true,
    description: 'OAuth 2.0 client secret of your X app',
  }),
  xPosting: variable({
    name: 'X_POSTING',
    group: 'x',
    schema: z.enum(['off', 'intent', 'api']),
    default: 'intent',
    description: "off; intent offers X's own composer; api posts for sellers who ask for it and costs credits",
  }),
  xEmail: variable({
    name: 'X_EMAIL',
    group: 'x',
    schema: onOff,
    default: 'off',
    description: 'Ask X for the email address at sign-in',
  }),
  tokenEncKey: variable({
    name: 'TOKEN_ENC_KEY',
    group: 'x',
    schema: z.optional(secrets),
    secret: true,
    description:
      'Keys that encrypt stored X tokens, each of 32 bytes or more, separated by commas: the first encrypts, all decrypt',
  }),

  imageStore: variable({
    name: 'IMAGE_STORE',
    group: 'images',
    schema: z.enum(['database', 's3', 'filesystem']),
    default: 'database',
    description: 'Where pictures are kept',
  }),
  imageDir: variable({
    name: 'IMAGE_DIR',
    group: 'images',
    schema: text,
    default: './data/images',
    description: 'Folder of the filesystem store',
  }),
  cacheDir: variable({
    name: 'CACHE_DIR',
    group: 'images',
    schema: text,
    default: './data/cache',
    description: 'Folder of the picture cache; may be emptied at any time',
  }),
  cacheDiskMb: variable({
    name: 'CACHE_DISK_MB',
    group: 'images',
    schema: whole(1, 1_000_000),
    default: '1024',
    description: 'Megabytes of pictures kept in CACHE_DIR',
  }),
  cacheMemoryMb: variable({
    name: 'CACHE_MEMORY_MB',
    group: 'images',
    schema: whole(0, 65_536),
    default: '32',
    description: 'Megabytes of pictures kept in memory; 0: none',
  }),
  s3Endpoint: variable({
    name: 'S3_ENDPOINT',
    group: 'images',
    schema: z.optional(httpUrl),
    description: 'Address of the S3 service',
  }),
  s3Region: variable({ name: 'S3_REGION', group: 'images', schema: text, default: 'us-east-1', description: 'Region' }),
  s3Bucket: variable({ name: 'S3_BUCKET', group: 'images', schema: optionalText, description: 'Bucket' }),
  s3AccessKeyId: variable({
    name: 'S3_ACCESS_KEY_ID',
    group: 'images',
    schema: optionalText,
    secret: true,
    description: 'Access key',
  }),
  s3SecretAccessKey: variable({
    name: 'S3_SECRET_ACCESS_KEY',
    group: 'images',
    schema: optionalText,
    secret: true,
    description: 'Secret key',
  }),
  s3ForcePathStyle: variable({
    name: 'S3_FORCE_PATH_STYLE',
    group: 'images',
    schema: onOff,
    default: 'on',
    description: 'Bucket in the path instead of the host name',
  }),

  soldListedDays: variable({
    name: 'SOLD_LISTED_DAYS',
    group: 'limits',
    schema: whole(0, 3650),
    default: '7',
    description: 'Days that a sold ad stays in the lists',
  }),
  rateLimitScale: variable({
    name: 'RATE_LIMIT_SCALE',
    group: 'limits',
    schema: whole(0, 1_000_000),
    default: '1',
    description: 'Multiplies every rate limit; 0 turns them off outside production',
  }),

  contactEmail: variable({
    name: 'CONTACT_EMAIL',
    group: 'mail',
    schema: optionalText,
    description: 'Who gets the contact form by mail; default SUPPORT_EMAIL',
  }),
  smtpUrl: variable({
    name: 'SMTP_URL',
    group: 'mail',
    schema: z.optional(smtpUrl),
    secret: true,
    description: 'Mail server; without it the contact form is stored only',
  }),

  logLevel: variable({
    name: 'LOG_LEVEL',
    group: 'observability',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    description: 'Least severe line that is logged',
  }),
  metricsPort: variable({
    name: 'METRICS_PORT',
    group: 'observability',
    schema: whole(0, 65535),
    default: '0',
    description: 'Port of /metrics for Prometheus; 0 is off',
  }),
  metricsToken: variable({
    name: 'METRICS_TOKEN',
    group: 'observability',
    schema: optionalText,
    secret: true,
    description: 'Bearer token that /metrics asks for',
  }),
  otelEndpoint: variable({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    group: 'observability',
    schema: z.optional(httpUrl),
    description:
      'Sends traces there. Answers from memory then take the way of all others, to be in them: they cost more',
  }),
  otelServiceName: variable({
    name: 'OTEL_SERVICE_NAME',
    group: 'observability',
    schema: text,
    default: 'tradepost',
    description: 'Name of this service in traces',
  }),
} as const;

/** What the variables say, each by its key. */
export type ConfigValues = { readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']> };

import { readFileSync } from 'node:fs';
import { distance } from 'fastest-levenshtein';
import type { Language } from '../../contract/languages.ts';
import { type ConfigGroup, type ConfigValues, type ConfigVariable, variables } from './schema.ts';
import { isTimeZone, isWritten, ONLY_WRITTEN } from './values.ts';

export interface S3Config {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
}

/** Where new images are stored. The other configured stores are searched too: `s3` is set if a bucket is. */
export type ImagesConfig = { directory: string } & (
  | { store: 'database' | 'filesystem'; s3: S3Config | undefined }
  | { store: 's3'; s3: S3Config }
);

/** The X app. Outside production, empty credentials mean that X refuses every request. */
export type XConfig = { clientId: string; clientSecret: string } & (
  | { mode: 'live' }
  | { mode: 'sandbox'; sandboxUrl: string }
);

type Regrouped = keyof ConfigValues &
  ('locales' | 'searchLanguages' | `s3${string}` | `image${string}` | 'xMode' | 'xSandboxUrl' | `xClient${string}`);

export interface Config extends Omit<ConfigValues, Regrouped> {
  readonly locales: readonly Language[];
  readonly searchLanguages: readonly string[];
  readonly isProduction: boolean;
  readonly isHttps: boolean;
  readonly databaseDirectUrl: string;
  readonly contactEmail: string;
  readonly vapidSubject: string;
  readonly tokenEncKey: string[];
  readonly images: ImagesConfig;
  readonly x: XConfig;
  readonly checkReplies: boolean;
}

export type Environment = Record<string, string | undefined>;

export class ConfigError extends Error {
  readonly problems: readonly string[];
  readonly exitCode = 3;
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((p) => `  ${p}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads a variable or the file that NAME_FILE names. An empty variable counts as unset. */
function readRaw(name: string, env: Environment): string | undefined {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined) throw new Error(`${name} and ${name}_FILE are both set`);
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (content === '') throw new Error(`${name}_FILE is empty`);
  return content;
}

const describeIssue = (issue: { code?: string; message: string; values?: unknown } | undefined): string =>
  issue?.code === 'invalid_value' && Array.isArray(issue.values)
    ? `must be one of ${issue.values.join(', ')}`
    : (issue?.message ?? 'is not valid');

function readVariable(v: ConfigVariable, env: Environment, isNeeded: boolean): unknown {
  const raw = readRaw(v.name, env);
  if (raw === undefined && isNeeded && v.requiredInProduction) throw new Error(`${v.name} is required in production`);
  const parsed = v.schema.safeParse(raw ?? v.default);
  if (!parsed.success) throw new Error(`${v.name} ${describeIssue(parsed.error.issues[0])}`);
  return parsed.data;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.localhost)$/;

type Rule = readonly [
  keys: readonly (keyof ConfigValues)[],
  isBroken: (values: ConfigValues) => boolean,
  problem: string,
];

const PRODUCTION_RULES: readonly Rule[] = [
  [['authTestUsers'], (c) => c.authTestUsers, 'AUTH_TEST_USERS must be off in production'],
  [['xMode'], (c) => c.xMode !== 'live', 'X_MODE must be live in production'],
  [['xSandboxUrl'], (c) => c.xSandboxUrl !== undefined, 'X_SANDBOX_URL must not be set in production'],
  [['xClientId'], (c) => (c.xClientId ?? '').startsWith('sandbox-'), 'X_CLIENT_ID is a sandbox client'],
  [['publicUrl'], (c) => LOOPBACK.test(new URL(c.publicUrl).hostname), 'PUBLIC_URL must not be loopback in production'],
  [['sessionKeys'], (c) => c.sessionKeys.includes(variables.sessionKeys.default), 'SESSION_KEYS is the sample key'],
  [['timeZone'], (c) => !isTimeZone(c.timeZone), 'TZ must be the name of a time zone such as Europe/Berlin'],
  [['locales'], (c) => !c.locales.every(isWritten), `LOCALES ${ONLY_WRITTEN}`],
  [['clockOffset'], (c) => c.clockOffset !== 0, 'CLOCK_OFFSET must not be set in production'],
  [['rateLimitScale'], (c) => c.rateLimitScale === 0, 'RATE_LIMIT_SCALE must be at least 1 in production'],
];

const RULES: readonly Rule[] = [
  [
    ['nodeEnv', 'xMode', 'xSandboxUrl'],
    (c) => c.nodeEnv !== 'production' && c.xMode === 'sandbox' && c.xSandboxUrl === undefined,
    'X_SANDBOX_URL is required with X_MODE=sandbox',
  ],
  [
    ['xPosting', 'tokenEncKey'],
    (c) => c.xPosting === 'api' && c.tokenEncKey === undefined,
    'TOKEN_ENC_KEY is required with X_POSTING=api',
  ],
  [
    ['imageStore', 's3Endpoint', 's3Bucket'],
    (c) => c.imageStore === 's3' && (!c.s3Endpoint || !c.s3Bucket),
    'S3_ENDPOINT and S3_BUCKET are required with IMAGE_STORE=s3',
  ],
  [
    ['imageStore', 's3Endpoint', 's3Bucket'],
    (c) => c.imageStore !== 's3' && c.s3Bucket !== undefined && !c.s3Endpoint,
    'S3_ENDPOINT is required with S3_BUCKET',
  ],
  [
    ['vapidPublicKey', 'vapidPrivateKey'],
    (c) => (c.vapidPublicKey === undefined) !== (c.vapidPrivateKey === undefined),
    'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are required together',
  ],
];

/** With `groups`, only rules about variables of these groups apply. */
const listBrokenRules = (values: Partial<ConfigValues>, groups: readonly ConfigGroup[] | undefined): string[] =>
  [...(values.nodeEnv === 'production' ? PRODUCTION_RULES : []), ...RULES]
    .filter(([keys]) => keys.every((key) => key in values && (groups?.includes(variables[key].group) ?? true)))
    .filter(([, isBroken]) => isBroken(values as ConfigValues))
    .map(([, , problem]) => problem);

export function readValues(env: Environment, groups?: readonly ConfigGroup[]): ConfigValues {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, v] of Object.entries<ConfigVariable>(variables)) {
    try {
      const isNeeded = values.nodeEnv === 'production' && (groups?.includes(v.group) ?? true);
      values[key] = readVariable(v, env, isNeeded);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  problems.push(...listBrokenRules(values, groups));
  if (problems.length > 0) throw new ConfigError(problems);
  return values as unknown as ConfigValues;
}

/**
 * Reads the environment as frozen, typed configuration. No other code reads process.env. Throws ConfigError with every
 * problem. With `groups`, variables that production requires in other groups may be missing: `marketctl` can ban users
 * without X's secrets.
 */
export const readConfig = (env: Environment, groups?: readonly ConfigGroup[]): Config =>
  Object.freeze(toConfig(readValues(env, groups)));

/** "pt-BR" is searched as Portuguese. */
const toSearchLanguages = (locales: readonly string[]): string[] => [
  ...new Set(locales.map((code) => code.replace(/-.*/, '').toLowerCase())),
];

function toConfig(values: ConfigValues): Config {
  const { imageStore, imageDir, xMode, xSandboxUrl, xClientId = '', xClientSecret = '', ...others } = values;
  const { s3Endpoint, s3Bucket, s3Region, s3AccessKeyId, s3SecretAccessKey, s3ForcePathStyle, ...rest } = others;
  const s3: S3Config = {
    endpoint: s3Endpoint ?? '',
    bucket: s3Bucket ?? '',
    region: s3Region,
    accessKeyId: s3AccessKeyId ?? '',
    secretAccessKey: s3SecretAccessKey ?? '',
    forcePathStyle: s3ForcePathStyle,
  };
  const app = { clientId: xClientId, clientSecret: xClientSecret };
  return {
    ...rest,
    isProduction: values.nodeEnv === 'production',
    isHttps: values.publicUrl.startsWith('https:'),
    databaseDirectUrl: values.databaseDirectUrl ?? values.databaseUrl,
    contactEmail: values.contactEmail ?? values.supportEmail,
    vapidSubject: values.vapidSubject ?? `mailto:${values.supportEmail}`,
    tokenEncKey: values.tokenEncKey ?? [],
    locales: values.locales as Language[],
    searchLanguages: values.searchLanguages ?? toSearchLanguages(values.locales),
    images:
      imageStore === 's3'
        ? { directory: imageDir, store: imageStore, s3 }
        : { directory: imageDir, store: imageStore, s3: s3Bucket ? s3 : undefined },
    x: xMode === 'live' ? { ...app, mode: xMode } : { ...app, mode: xMode, sandboxUrl: xSandboxUrl ?? '' },
    checkReplies: values.nodeEnv === 'test',
  };
}

const NAMES = Object.values<ConfigVariable>(variables).map(({ name }) => name);
const MIN_NAME = 6;
const MAX_DISTANCE = 2;

export const nameUnknownVariables = (env: Environment): string[] =>
  Object.keys(env).flatMap((name) => {
    const bare = name.replace(/_FILE$/, '');
    if (NAMES.includes(bare) || bare.length < MIN_NAME) return [];
    const meant = NAMES.find((known) => known.length >= MIN_NAME && distance(bare, known) <= MAX_DISTANCE);
    return meant ? [`${name} is not known; did you mean ${meant}?`] : [];
  });

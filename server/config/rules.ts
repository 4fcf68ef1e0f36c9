import { isTimeZone } from '../lib/time-zone.ts';
import { type ConfigValues, variables } from './schema.ts';

interface Rule {
  /** The variables that it looks at. */
  keys: readonly (keyof ConfigValues)[];
  isBroken(values: ConfigValues): boolean;
  because: string;
}

const rule = <K extends keyof ConfigValues>(
  keys: readonly K[],
  isBroken: (values: Pick<ConfigValues, K>) => boolean,
  because: string,
): Rule => ({ keys, isBroken, because });

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.localhost)$/;

/** They protect a public site from development's doors. */
const IN_PRODUCTION: readonly Rule[] = [
  rule(['authTestUsers'], (c) => c.authTestUsers, 'AUTH_TEST_USERS must be off in production'),
  rule(['xMode'], (c) => c.xMode !== 'live', 'X_MODE must be live in production'),
  rule(['xSandboxUrl'], (c) => c.xSandboxUrl !== undefined, 'X_SANDBOX_URL must not be set in production'),
  rule(['xClientId'], (c) => (c.xClientId ?? '').startsWith('sandbox-'), 'X_CLIENT_ID is a sandbox client'),
  rule(
    ['publicUrl'],
    (c) => LOOPBACK.test(new URL(c.publicUrl).hostname),
    'PUBLIC_URL must not be loopback in production',
  ),
  rule(
    ['sessionKeys'],
    (c) => c.sessionKeys.includes(variables.sessionKeys.default ?? ''),
    'SESSION_KEYS is the sample key',
  ),
  rule(['timeZone'], (c) => !isTimeZone(c.timeZone), 'TZ must be the name of a time zone such as Europe/Berlin'),
  rule(['rateLimitScale'], (c) => c.rateLimitScale === 0, 'RATE_LIMIT_SCALE must be at least 1 in production'),
];

/** Combinations that no single variable shows. */
const EVERYWHERE: readonly Rule[] = [
  rule(
    ['nodeEnv', 'xMode', 'xSandboxUrl'],
    (c) => c.nodeEnv !== 'production' && c.xMode === 'sandbox' && c.xSandboxUrl === undefined,
    'X_SANDBOX_URL is required with X_MODE=sandbox',
  ),
  rule(
    ['xPosting', 'tokenEncKey'],
    (c) => c.xPosting === 'api' && c.tokenEncKey === undefined,
    'TOKEN_ENC_KEY is required with X_POSTING=api',
  ),
  rule(
    ['imageStore', 's3Endpoint', 's3Bucket'],
    (c) => c.imageStore === 's3' && (!c.s3Endpoint || !c.s3Bucket),
    'S3_ENDPOINT and S3_BUCKET are required with IMAGE_STORE=s3',
  ),
  // pictures that are not where IMAGE_STORE says are looked for there too
  rule(
    ['imageStore', 's3Endpoint', 's3Bucket'],
    (c) => c.imageStore !== 's3' && c.s3Bucket !== undefined && !c.s3Endpoint,
    'S3_ENDPOINT is required with S3_BUCKET',
  ),
];

/** What speaks against these values, by the rules whose variables are all there: one that is not valid is told by itself. */
export const listRefusals = (values: Partial<ConfigValues>): string[] =>
  [...(values.nodeEnv === 'production' ? IN_PRODUCTION : []), ...EVERYWHERE]
    .filter(({ keys, isBroken }) => keys.every((key) => key in values) && isBroken(values as ConfigValues))
    .map(({ because }) => because);

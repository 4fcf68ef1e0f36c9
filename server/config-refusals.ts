import { variables } from './config-variables.ts';

interface Refusable {
  isProduction: boolean;
  publicUrl: string;
  sessionKeys: readonly string[];
  authTestUsers: boolean;
  xMode: string;
  xSandboxUrl?: string | undefined;
  xClientId?: string | undefined;
  xPosting: string;
  tokenEncKey?: readonly string[] | undefined;
  rateLimitScale: number;
  imageStore: string;
  s3Endpoint?: string | undefined;
  s3Bucket?: string | undefined;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.localhost)$/;

/** Combinations that no single variable shows; the first group protects a public site from development's doors. */
export function productionRefusals(c: Refusable): string[] {
  const rules: [refused: boolean, because: string][] = [
    [c.isProduction && c.authTestUsers, 'AUTH_TEST_USERS must be off in production'],
    [c.isProduction && c.xMode !== 'live', 'X_MODE must be live in production'],
    [c.isProduction && c.xSandboxUrl !== undefined, 'X_SANDBOX_URL must not be set in production'],
    [c.isProduction && (c.xClientId ?? '').startsWith('sandbox-'), 'X_CLIENT_ID is a sandbox client'],
    [c.isProduction && LOOPBACK.test(new URL(c.publicUrl).hostname), 'PUBLIC_URL must not be loopback in production'],
    [c.isProduction && c.sessionKeys.includes(variables.sessionKeys.default ?? ''), 'SESSION_KEYS is the sample key'],
    [c.isProduction && c.rateLimitScale === 0, 'RATE_LIMIT_SCALE must be at least 1 in production'],
    [c.xMode === 'sandbox' && c.xSandboxUrl === undefined, 'X_SANDBOX_URL is required with X_MODE=sandbox'],
    [c.xPosting === 'api' && c.tokenEncKey === undefined, 'TOKEN_ENC_KEY is required with X_POSTING=api'],
    [
      c.imageStore === 's3' && (!c.s3Endpoint || !c.s3Bucket),
      'S3_ENDPOINT and S3_BUCKET are required with IMAGE_STORE=s3',
    ],
  ];
  return rules.flatMap(([refused, because]) => (refused ? [because] : []));
}

import { LIMITS } from '../../../contract/limits.ts';
import { cleanForeignLine, EMAIL_ADDRESS } from '../../../contract/text.ts';
import { asText, callX, readImage, type XCall, XError } from './http.ts';

export { XError } from './http.ts';

/** A rotating pair: `refreshToken` works once. */
export interface XTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Seconds from now; X says 7200. */
  expiresIn: number;
  /** Granted scopes, which may be fewer than requested. */
  scopes: string[];
}

export interface XClient {
  urls: XUrls;
  me(accessToken: string): Promise<XProfile>;
  createPost(accessToken: string, text: string): Promise<{ id: string; text: string }>;
  deletePost(accessToken: string, id: string): Promise<void>;
  refresh(refreshToken: string): Promise<XTokens>;
  revoke(token: string): Promise<void>;
  /** The bytes of an avatar; undefined if X no longer has it. At most 5 MB. */
  readAvatar(url: string): Promise<Buffer | undefined>;
}

const TIMEOUT_MS = 10_000;

/** Where X keeps avatars. No other host is asked, whatever a profile says. */
const isOnTwimg = (url: string): boolean => {
  const { protocol, hostname, port, username } = new URL(url);
  return protocol === 'https:' && /(^|\.)twimg\.com$/.test(hostname) && port === '' && username === '';
};

/** Tokens of the sandbox are base64url of "SBX…"; X's tokens never are. */
const isSandboxToken = (token: string) => token.startsWith('U0JY') || token.startsWith('SBX');

/** A client of X's API v2, or of the sandbox. Every method throws {@link XError} and no other error. */
export const createXClient = (settings: XSettings): XClient => {
  const urls = getXUrls(settings);
  const credentials = [settings.clientId, settings.clientSecret].map(encodeURIComponent).join(':');
  const call = (request: XCall) => {
    if (settings.mode === 'live' && request.secrets.some(isSandboxToken)) {
      throw new XError(`${request.name}: a sandbox token in live mode`, { failure: 'unsent' });
    }
    return callX({ ...request, timeoutMs: settings.timeoutMs ?? TIMEOUT_MS });
  };
  const asUser = (accessToken: string) => ({
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    secrets: [accessToken],
  });
  const asApp = (token: string, fields: Record<string, string>) => ({
    method: 'POST' as const,
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
    secrets: [token, settings.clientSecret],
  });

  return {
    urls,
    me: async (accessToken) => {
      const url = `${urls.api}/users/me?user.fields=${PROFILE_FIELDS}`;
      const response = await call({ name: 'GET /2/users/me', url, ...asUser(accessToken) });
      return readProfile(response.body.data);
    },
    createPost: async (accessToken, text) => {
      const body = JSON.stringify({ text });
      const url = `${urls.api}/tweets`;
      const response = await call({ name: 'POST /2/tweets', method: 'POST', url, body, ...asUser(accessToken) });
      const data = response.body.data as { id?: unknown; text?: unknown } | undefined;
      if (typeof data?.id !== 'string') throw new XError('POST /2/tweets: no id in the answer', { failure: 'lost' });
      return { id: data.id, text: String(data.text ?? '') };
    },
    deletePost: async (accessToken, id) => {
      const url = `${urls.api}/tweets/${encodeURIComponent(id)}`;
      await call({ name: 'DELETE /2/tweets/:id', method: 'DELETE', url, ...asUser(accessToken) });
    },
    refresh: async (refreshToken) => {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: settings.clientId };
      const response = await call({ name: 'refresh', url: urls.token, ...asApp(refreshToken, form) });
      return readTokens(response.body);
    },
    readAvatar: async (url) => {
      const isAllowed = settings.mode === 'live' ? isOnTwimg(url) : url.startsWith(`${settings.sandboxUrl}/`);
      return isAllowed ? readImage(url, settings.timeoutMs ?? TIMEOUT_MS) : undefined;
    },
    revoke: async (token) => {
      await call({ name: 'revoke', url: urls.revoke, ...asApp(token, { token, client_id: settings.clientId }) });
    },
  };
};

/** Parses a response of the token endpoint. @throws {XError} when it contains no bearer token */
export const readTokens = (body: Record<string, unknown>): XTokens => {
  const { access_token, refresh_token, expires_in, scope, token_type } = body;
  if (typeof access_token !== 'string' || String(token_type).toLowerCase() !== 'bearer') {
    throw new XError('token endpoint: no bearer token in the answer', { failure: 'lost' });
  }
  return {
    accessToken: access_token,
    refreshToken: typeof refresh_token === 'string' ? refresh_token : null,
    expiresIn: Number(expires_in) > 0 ? Number(expires_in) : 7200,
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [],
  };
};

export interface XSettings {
  mode: 'live' | 'sandbox';
  sandboxUrl?: string | null;
  clientId: string;
  clientSecret: string;
  timeoutMs?: number;
}

export interface XUrls {
  web: string;
  authorize: string;
  token: string;
  revoke: string;
  api: string;
}

/**
 * X's URLs, derived from the mode and never from free-form settings: live means exactly x.com and api.x.com.
 * (twitter.com does not share the browser's session with x.com, so users might link another account.)
 */
export const getXUrls = (settings: Pick<XSettings, 'mode' | 'sandboxUrl'>): XUrls => {
  if (settings.mode === 'live') return urlsBelow('https://x.com', 'https://api.x.com');
  if (!settings.sandboxUrl) throw new Error('X_MODE=sandbox needs X_SANDBOX_URL');
  const origin = new URL(settings.sandboxUrl).origin;
  return urlsBelow(origin, origin);
};

const urlsBelow = (web: string, api: string): XUrls => ({
  web,
  authorize: `${web}/i/oauth2/authorize`,
  token: `${api}/2/oauth2/token`,
  revoke: `${api}/2/oauth2/revoke`,
  api: `${api}/2`,
});

export interface XProfile {
  /** X's numeric id, the only key of an account: handles are recycled. */
  id: string;
  username: string;
  displayName: string;
  avatar: string | null;
  isVerified: boolean;
  verifiedType: string | null;
  /** null if X did not say: keep the stored value. */
  isPremium: boolean | null;
  xAccountCreated: string | null;
  email: string | null;
}

export const PROFILE_FIELDS = 'created_at,profile_image_url,subscription_type,verified,verified_type';
const NAME_LENGTH = 100;
const CHECKED = new Set(['blue', 'business', 'government']);

/**
 * Reads the `data` of `GET /2/users/me`. Verified and premium are separate: Basic subscribers have no check, some
 * accounts are verified with type "none". @throws {XError} when id or username is missing or malformed (a partial
 * error inside a 200)
 */
export const readProfile = (data: unknown): XProfile => {
  const raw = (data ?? {}) as Record<string, unknown>;
  const { id, username } = raw;
  if (
    typeof id !== 'string' ||
    !/^\d{1,20}$/.test(id) ||
    typeof username !== 'string' ||
    !/^\w{1,50}$/.test(username)
  ) {
    throw new XError('GET /2/users/me: no usable profile in the answer', { failure: 'lost' });
  }
  const verifiedType = asText(raw.verified_type)?.toLowerCase() ?? null;
  const subscription = asText(raw.subscription_type)?.toLowerCase();
  return {
    id,
    username,
    displayName: cleanForeignLine(asText(raw.name) ?? '', NAME_LENGTH) || username,
    avatar: readAvatar(raw.profile_image_url),
    isVerified: raw.verified === true || CHECKED.has(verifiedType ?? ''),
    verifiedType,
    isPremium: subscription === undefined ? null : subscription !== 'none',
    xAccountCreated: readDate(raw.created_at),
    email: readEmail(raw.confirmed_email) ?? readEmail(raw.email),
  };
};

/** `_normal` is 48 px; X serves the same image at 400 px under `_400x400`. */
const readAvatar = (value: unknown): string | null => {
  const url = asText(value)?.slice(0, 1000);
  return url && URL.canParse(url) && /^https?:/.test(url) ? url.replace(/_normal(?=\.\w+$)/, '_400x400') : null;
};

const readEmail = (value: unknown): string | null => {
  const address = asText(value) ?? '';
  return address.length <= LIMITS.emailAddress && EMAIL_ADDRESS.test(address) ? address : null;
};

const readDate = (value: unknown): string | null => {
  const date = new Date(asText(value) ?? '');
  return Number.isNaN(date.valueOf()) ? null : date.toISOString();
};

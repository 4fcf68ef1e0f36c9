import { XError } from './x-error.ts';
import { callX, type XCall } from './x-http.ts';
import { PROFILE_FIELDS, readProfile, type XProfile } from './x-profile.ts';
import { type XSettings, type XUrls, xUrls } from './x-urls.ts';

export { XError } from './x-error.ts';
export type { XProfile } from './x-profile.ts';
export { type XSettings, xUrls } from './x-urls.ts';

/** A rotating pair: using `refreshToken` once makes it worthless. */
export interface XTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Seconds the access token lives from now; X says 7200. */
  expiresIn: number;
  /** Scopes granted, which may be fewer than asked for. */
  scopes: string[];
}

export interface XClient {
  urls: XUrls;
  me(accessToken: string): Promise<XProfile>;
  createPost(accessToken: string, text: string): Promise<{ id: string; text: string }>;
  deletePost(accessToken: string, id: string): Promise<void>;
  refresh(refreshToken: string): Promise<XTokens>;
  revoke(token: string): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/** Tokens of the sandbox are base64url of "SBX…", as X's are base64url of something else. */
const isSandboxToken = (token: string) => token.startsWith('U0JY') || token.startsWith('SBX');

/** Our client of X's API v2, or of the sandbox. Every method throws {@link XError}, and nothing else, when it fails. */
export const createXClient = (settings: XSettings): XClient => {
  const urls = xUrls(settings);
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
      const answer = await call({ name: 'GET /2/users/me', url, ...asUser(accessToken) });
      return readProfile(answer.body.data);
    },
    createPost: async (accessToken, text) => {
      const body = JSON.stringify({ text });
      const url = `${urls.api}/tweets`;
      const answer = await call({ name: 'POST /2/tweets', method: 'POST', url, body, ...asUser(accessToken) });
      const data = answer.body.data as { id?: unknown; text?: unknown } | undefined;
      if (typeof data?.id !== 'string') throw new XError('POST /2/tweets: no id in the answer', { failure: 'lost' });
      return { id: data.id, text: String(data.text ?? '') };
    },
    deletePost: async (accessToken, id) => {
      const url = `${urls.api}/tweets/${encodeURIComponent(id)}`;
      await call({ name: 'DELETE /2/tweets/:id', method: 'DELETE', url, ...asUser(accessToken) });
    },
    refresh: async (refreshToken) => {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: settings.clientId };
      const answer = await call({ name: 'refresh', url: urls.token, ...asApp(refreshToken, form) });
      return readTokens(answer.body);
    },
    revoke: async (token) => {
      await call({ name: 'revoke', url: urls.revoke, ...asApp(token, { token, client_id: settings.clientId }) });
    },
  };
};

/** Reads an answer of the token endpoint. @throws {XError} when there is no bearer token in it */
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

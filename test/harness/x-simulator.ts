import { createHash } from 'node:crypto';
import { startXSimulator, type XSimulator } from '../../local/x-simulator/server.ts';

export const CLIENT = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
export const CALLBACK = 'http://localhost:8080/api/auth/twitter/callback';
export const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-in-all';
export const MAYA = '2244994945';
export const TOM = '1488016301';
const ALL_SCOPES = 'users.read tweet.read tweet.write offline.access';

export const startTestSimulator = () => startXSimulator({ port: 0, ...CLIENT, redirectUris: [CALLBACK] });

export const authorizeUrl = (sandbox: XSimulator, changes: Record<string, string | undefined> = {}): string => {
  const params = {
    client_id: CLIENT.clientId,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: ALL_SCOPES,
    state: 'some-state',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const known = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${sandbox.url}/i/oauth2/authorize?${new URLSearchParams(known)}`;
};

export const control = (sandbox: XSimulator, path: string, body: unknown, method = 'POST') =>
  fetch(`${sandbox.url}/__sandbox/${path}`, { method, body: JSON.stringify(body) });

export const postForm = (sandbox: XSimulator, path: string, form: Record<string, string>, headers = {}) =>
  fetch(sandbox.url + path, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' });

const basic = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`;

export const requestToken = (sandbox: XSimulator, form: Record<string, string>, authorization = basic) =>
  postForm(sandbox, '/2/oauth2/token', form, { authorization });

export const getCode = async (sandbox: XSimulator, persona = MAYA, changes: Record<string, string> = {}) => {
  await control(sandbox, 'auto-approve', { persona });
  const response = await fetch(authorizeUrl(sandbox, changes), { redirect: 'manual' });
  await control(sandbox, 'auto-approve', { persona: null });
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
};

export const redeem = (sandbox: XSimulator, code: string, changes: Record<string, string> = {}) =>
  requestToken(sandbox, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...changes,
  });

export interface TokenAnswer {
  token_type: string;
  expires_in: number;
  access_token: string;
  refresh_token: string;
  scope: string;
}

export const signIn = async (sandbox: XSimulator, persona = MAYA, scope = ALL_SCOPES): Promise<TokenAnswer> =>
  (await redeem(sandbox, await getCode(sandbox, persona, { scope }))).json() as Promise<TokenAnswer>;

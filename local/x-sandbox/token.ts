import { createHash, randomUUID } from 'node:crypto';
import { type Exchange, json, type Reply, readForm } from './exchange.ts';
import { oauthError } from './problems.ts';
import { makeToken, now, type State, type Token } from './state.ts';

const ACCESS_LIFE_S = 7200;
const REFRESH_LIFE_MS = 180 * 24 * 3600_000;

const badClient = () => oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
const badCode = () => oauthError(400, 'invalid_request', 'Value passed for the authorization code was invalid.');
const badToken = () => oauthError(400, 'invalid_request', 'Value passed for the token was invalid.');
const badVerifier = () =>
  oauthError(400, 'invalid_request', 'Value passed for the code verifier did not match the code challenge.');

const knowsClient = ({ headers, settings }: Exchange): boolean => {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
  return id === settings.clientId && secret === settings.clientSecret;
};

/** `POST /2/oauth2/token` for a confidential client: code with PKCE, and rotating refresh tokens. */
export const issueToken = (exchange: Exchange): Reply => {
  const form = readForm(exchange);
  if (!form) return oauthError(400, 'invalid_request', 'The body must be a form.');
  if (!knowsClient(exchange)) return badClient();
  const grantType = form.get('grant_type');
  if (grantType === 'authorization_code') return redeemCode(exchange.state, form);
  if (grantType === 'refresh_token') return rotate(exchange.state, form.get('refresh_token') ?? '');
  return oauthError(400, 'unsupported_grant_type', 'The grant type is not supported.');
};

const redeemCode = (state: State, form: URLSearchParams): Reply => {
  const code = state.codes.find((c) => c.code === form.get('code'));
  if (!code) return badCode();
  if (code.burntBy) {
    if (state.quirks.reusedCodeKillsTokens) kill(state, (t) => t.grantId === code.burntBy);
    return badCode();
  }
  code.burntBy = randomUUID();
  if (code.expiresAt <= now(state) || code.redirectUri !== form.get('redirect_uri')) return badCode();
  const verifier = form.get('code_verifier') ?? '';
  const hashed = createHash('sha256').update(verifier).digest('base64url');
  if ((code.challengeMethod === 'S256' ? hashed : verifier) !== code.challenge) return badVerifier();
  if (state.quirks.signInKillsOlderTokens) kill(state, (t) => t.userId === code.userId);
  return issue(state, code.userId, code.scopes, code.burntBy);
};

const rotate = (state: State, value: string): Reply => {
  const old = state.tokens.find((t) => t.token === value && t.kind === 'refresh');
  if (!old || old.dead || old.expiresAt <= now(state)) return badToken();
  old.dead = true;
  if (state.quirks.refreshKillsAccessToken) kill(state, (t) => t.grantId === old.grantId);
  return issue(state, old.userId, old.scopes, old.grantId);
};

const issue = (state: State, userId: string, scopes: string[], grantId: string): Reply => {
  const at = now(state);
  const make = (kind: Token['kind'], expiresAt: number): string => {
    const token = makeToken(kind === 'access' ? 'at' : 'rt', at);
    state.tokens.push({ token, kind, userId, scopes, expiresAt, grantId, dead: false });
    return token;
  };
  return json(200, {
    token_type: 'bearer',
    expires_in: ACCESS_LIFE_S,
    access_token: make('access', at + ACCESS_LIFE_S * 1000),
    scope: scopes.join(' '),
    ...(scopes.includes('offline.access') && { refresh_token: make('refresh', at + REFRESH_LIFE_MS) }),
  });
};

const kill = (state: State, which: (token: Token) => boolean): void => {
  for (const token of state.tokens) if (which(token)) token.dead = true;
};

/** `POST /2/oauth2/revoke`: that token only, and the same answer for one it never knew. */
export const revokeToken = (exchange: Exchange): Reply => {
  const { state } = exchange;
  if (!knowsClient(exchange)) return badClient();
  const value = readForm(exchange)?.get('token');
  const found = state.tokens.find((t) => t.token === value);
  if (found) {
    kill(state, (t) => t === found || (state.quirks.revokeTakesSibling && t.grantId === found.grantId));
  }
  return json(200, { revoked: true });
};

/** The person takes the app's access away: every token dies. */
export const disconnectApp = (state: State, userId: string): void => kill(state, (t) => t.userId === userId);

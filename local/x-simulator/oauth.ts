import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { avatar, currentUser, html, page, pickPage, toDisplayName } from './html.ts';
import {
  type Exchange,
  forbidden,
  json,
  locked,
  oauthError,
  type Reply,
  readForm,
  redirect,
  suspended,
  unauthorized,
} from './http.ts';
import { makeToken, now, type Persona, type State, type Token } from './state.ts';

export const SCOPES: Readonly<Record<string, string>> = {
  'users.read': 'See your profile and the accounts you can see',
  'tweet.read': 'See the posts you can see',
  'tweet.write': 'Post and delete posts for you',
  'offline.access': 'Stay connected until you revoke access',
  'media.write': 'Upload pictures for you',
  'users.email': 'See your email address',
};
const CODE_LIFE_MS = 30_000;

interface AuthRequest {
  redirectUri: string;
  state: string;
  challenge: string;
  challengeMethod: 'S256' | 'plain';
  scopes: string[];
}

/** Returns the parsed request, or the reason why X would show its own error page instead of redirecting. */
const readRequest = ({ settings }: Exchange, query: URLSearchParams): AuthRequest | string => {
  const get = (name: string) => query.get(name) ?? '';
  const scopes = get('scope').split(' ').filter(Boolean);
  const unknown = scopes.find((scope) => !(scope in SCOPES));
  const challengeMethod = get('code_challenge_method') || 'plain';
  if (get('client_id') !== settings.clientId) return 'The client_id is not that of a known app.';
  if (!settings.redirectUris.includes(get('redirect_uri'))) return 'The redirect_uri is not registered for this app.';
  if (get('response_type') !== 'code') return 'The response_type must be "code".';
  if (!get('code_challenge')) return 'A code_challenge (PKCE) is required.';
  if (challengeMethod !== 'S256' && challengeMethod !== 'plain') return 'The code_challenge_method is unknown.';
  if (get('state').length > 500 || !get('state')) return 'A state of at most 500 characters is required.';
  if (scopes.length === 0 || unknown) return `The scope is ${unknown ? `unknown: ${unknown}` : 'missing'}.`;
  const challenge = get('code_challenge');
  return { redirectUri: get('redirect_uri'), state: get('state'), challenge, challengeMethod, scopes };
};

const refuse = (why: string): Reply =>
  page(
    'Something went wrong',
    html`<div class="panel"><h1>Something went wrong</h1>
<p>You weren’t able to give access to the App. Go back and try logging in again.</p><p class="soft">${why}</p></div>`,
    { status: 400 },
  );

const redirectBack = (request: AuthRequest, params: Record<string, string>): Reply => {
  const to = new URL(request.redirectUri);
  for (const [name, value] of Object.entries({ state: request.state, ...params })) to.searchParams.set(name, value);
  return redirect(to.href);
};

const grantCode = ({ state }: Exchange, request: AuthRequest, user: Persona): Reply => {
  const at = now(state);
  const code = makeToken('ac', at);
  const scopes = request.scopes.filter((scope) => !user.withholds.includes(scope));
  const { redirectUri, challenge, challengeMethod } = request;
  const expiresAt = at + CODE_LIFE_MS;
  const grant = { userId: user.id, redirectUri, challenge, challengeMethod, scopes };
  state.codes.push({ code, ...grant, expiresAt, burntBy: null });
  return redirectBack(request, { code });
};

/** Each consent page contains a secret, so that no other site can submit its form. */
export const createAuthorize = () => {
  const shown = new Map<string, { query: string; userId: string }>();

  const show = (exchange: Exchange): Reply => {
    const { state, url, settings } = exchange;
    const request = readRequest(exchange, url.searchParams);
    if (typeof request === 'string') return refuse(request);
    const auto = state.personas.find((p) => p.id === state.autoApprove);
    if (auto) return grantCode(exchange, request, auto);
    const user = currentUser(exchange);
    if (!user || url.searchParams.has('sandbox_pick')) {
      url.searchParams.delete('sandbox_pick');
      return pickPage(exchange, `Who signs in to ${settings.appName}?`, url.pathname + url.search);
    }
    if (user.status !== 'active') return refuse(`The account @${user.username} is ${user.status}.`);
    const secret = randomBytes(16).toString('hex');
    shown.set(secret, { query: url.search, userId: user.id });
    return consentPage(exchange, user, request, secret);
  };

  const decide = (exchange: Exchange): Reply => {
    const form = readForm(exchange);
    const consent = shown.get(form?.get('consent') ?? '');
    const user = exchange.state.personas.find((p) => p.id === consent?.userId);
    if (!consent || !user) return refuse('This page was answered already. Start again in the app.');
    shown.delete(form?.get('consent') ?? '');
    const request = readRequest(exchange, new URLSearchParams(consent.query));
    if (typeof request === 'string') return refuse(request);
    if (form?.get('decision') !== 'authorize') return redirectBack(request, { error: 'access_denied' });
    return grantCode(exchange, request, user);
  };

  return { show, decide };
};

const consentPage = ({ settings, url }: Exchange, user: Persona, request: AuthRequest, secret: string): Reply =>
  page(
    `Authorize ${settings.appName}`,
    html`<div class="panel"><h1>${settings.appName} wants to access your account</h1>
<div class="row">${avatar(user, 48)}<div class="grow">${toDisplayName(user)}<div class="soft">@${user.username}</div></div>
<a href="${url.pathname}${url.search}&sandbox_pick=1">Switch account</a></div>
<h2>What this app will be able to do</h2>
<ul class="scopes">${request.scopes.map((scope) => html`<li>${SCOPES[scope]}</li>`)}</ul>
<form class="actions" method="post" action="/i/oauth2/authorize"><input type="hidden" name="consent" value="${secret}">
<button class="full" name="decision" value="authorize">Authorize app</button>
<button class="full quiet" name="decision" value="cancel">Cancel</button></form>
<p class="soft">You go back to ${new URL(request.redirectUri).host}.</p></div>`,
    { user },
  );

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

/** `POST /2/oauth2/token` for a confidential client: authorization code with PKCE, and rotating refresh tokens. */
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

/** `POST /2/oauth2/revoke`: revokes one token. An unknown token gets the same response. */
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

export const disconnectApp = (state: State, userId: string): void => kill(state, (t) => t.userId === userId);

/** Returns the user of the access token, or the error response that X would send. */
export const readBearer = (exchange: Exchange, needed: string[]): { user: Persona } | { refusal: Reply } => {
  const { state, headers } = exchange;
  const value = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  const token = state.tokens.find((t) => t.token === value && t.kind === 'access');
  if (!token || token.dead || token.expiresAt <= now(state)) return { refusal: unauthorized() };
  const user = state.personas.find((p) => p.id === token.userId);
  if (!user || user.status === 'deleted') return { refusal: unauthorized() };
  if (user.status === 'suspended') return { refusal: suspended() };
  if (user.status === 'locked') return { refusal: locked() };
  const missing = needed.filter((scope) => !token.scopes.includes(scope));
  if (missing.length > 0) return { refusal: forbidden(`Your token lacks the scope: ${missing.join(', ')}.`) };
  return { user };
};

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { avatar, currentUser, html, page, pickPage, toDisplayName } from './html.ts';
import { APP_NAME, type Exchange, forbid, Refusal, readForm, refuse, refuseOauth } from './http.ts';
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
  challengeMethod: string;
  scopes: string[];
}

/** Throws X's own error page instead of redirecting when the request is not valid. */
const readRequest = (exchange: Exchange, query: URLSearchParams): AuthRequest => {
  const get = (name: string) => query.get(name) ?? '';
  const demand = (isTrue: boolean, why: string) => {
    if (!isTrue) throw refuseConsent(exchange, why);
  };
  const { clientId, redirectUris } = exchange.settings;
  const scopes = get('scope').split(' ').filter(Boolean);
  const unknown = scopes.find((scope) => !(scope in SCOPES));
  const challengeMethod = get('code_challenge_method') || 'plain';
  demand(get('client_id') === clientId, 'The client_id is not that of a known app.');
  demand(redirectUris.includes(get('redirect_uri')), 'The redirect_uri is not registered for this app.');
  demand(get('response_type') === 'code', 'The response_type must be "code".');
  demand(get('code_challenge') !== '', 'A code_challenge (PKCE) is required.');
  demand(/^(S256|plain)$/.test(challengeMethod), 'The code_challenge_method is unknown.');
  demand(/^.{1,500}$/s.test(get('state')), 'A state of at most 500 characters is required.');
  demand(scopes.length > 0 && !unknown, `The scope is ${unknown ? `unknown: ${unknown}` : 'missing'}.`);
  const challenge = get('code_challenge');
  return { redirectUri: get('redirect_uri'), state: get('state'), challenge, challengeMethod, scopes };
};

const refuseConsent = (exchange: Exchange, why: string): Refusal => {
  const title = 'Something went wrong';
  const content = html`<div class="panel"><h1>${title}</h1>
<p>You weren’t able to give access to the App. Go back and try logging in again.</p><p class="soft">${why}</p></div>`;
  return new Refusal({ status: 400, body: page(exchange, title, content) });
};

const redirectBack = (exchange: Exchange, request: AuthRequest, params: Record<string, string>): undefined => {
  const to = new URL(request.redirectUri);
  for (const [name, value] of Object.entries({ state: request.state, ...params })) to.searchParams.set(name, value);
  exchange.redirect(to.href);
};

const grantCode = (exchange: Exchange, request: AuthRequest, user: Persona): undefined => {
  const { state } = exchange;
  const at = now(state);
  const code = makeToken('ac', at);
  const scopes = request.scopes.filter((scope) => !user.withholds.includes(scope));
  const { redirectUri, challenge, challengeMethod } = request;
  const grant = { userId: user.id, redirectUri, challenge, challengeMethod, scopes };
  state.codes.push({ code, ...grant, expiresAt: at + CODE_LIFE_MS, burntBy: null });
  return redirectBack(exchange, request, { code });
};

/** Each consent page contains a secret, so that no other site can submit its form. */
export const createAuthorize = () => {
  const shown = new Map<string, { query: string; userId: string }>();

  const show = (exchange: Exchange): string | undefined => {
    const { state, URL: url } = exchange;
    const request = readRequest(exchange, url.searchParams);
    const auto = state.personas.find((p) => p.id === state.autoApprove);
    if (auto) return grantCode(exchange, request, auto);
    const user = currentUser(exchange);
    if (!user || url.searchParams.has('sandbox_pick')) {
      url.searchParams.delete('sandbox_pick');
      return pickPage(exchange, `Who signs in to ${APP_NAME}?`, url.pathname + url.search);
    }
    if (user.status !== 'active') throw refuseConsent(exchange, `The account @${user.username} is ${user.status}.`);
    const secret = randomBytes(16).toString('hex');
    shown.set(secret, { query: url.search, userId: user.id });
    return consentPage(exchange, user, request, secret);
  };

  const decide = (exchange: Exchange): void => {
    const form = readForm(exchange);
    const secret = form?.get('consent') ?? '';
    const consent = shown.get(secret);
    const user = exchange.state.personas.find((p) => p.id === consent?.userId);
    if (!consent || !user) throw refuseConsent(exchange, 'This page was answered already. Start again in the app.');
    shown.delete(secret);
    const request = readRequest(exchange, new URLSearchParams(consent.query));
    if (form?.get('decision') === 'authorize') grantCode(exchange, request, user);
    else redirectBack(exchange, request, { error: 'access_denied' });
  };

  return { show, decide };
};

const consentPage = (exchange: Exchange, user: Persona, request: AuthRequest, secret: string): string =>
  page(
    exchange,
    `Authorize ${APP_NAME}`,
    html`<div class="panel"><h1>${APP_NAME} wants to access your account</h1>
<div class="row">${avatar(user, 48)}<div class="grow">${toDisplayName(user)}<div class="soft">@${user.username}</div></div>
<a href="${exchange.url}&sandbox_pick=1">Switch account</a></div>
<h2>What this app will be able to do</h2>
<ul class="scopes">${request.scopes.map((scope) => html`<li>${SCOPES[scope]}</li>`)}</ul>
<form class="actions" method="post" action="/i/oauth2/authorize"><input type="hidden" name="consent" value="${secret}">
<button class="full" name="decision" value="authorize">Authorize app</button>
<button class="full quiet" name="decision" value="cancel">Cancel</button></form>
<p class="soft">You go back to ${new URL(request.redirectUri).host}.</p></div>`,
  );

const ACCESS_LIFE_S = 7200;
const REFRESH_LIFE_MS = 180 * 24 * 3600_000;

const badValue = (what: string) => refuseOauth(400, 'invalid_request', `Value passed for the ${what}`);
const badCode = () => badValue('authorization code was invalid.');

const readClientForm = (exchange: Exchange): URLSearchParams => {
  const { headers, settings } = exchange;
  const form = readForm(exchange);
  if (!form) throw refuseOauth(400, 'invalid_request', 'The body must be a form.');
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
  if (id !== settings.clientId || secret !== settings.clientSecret)
    throw refuseOauth(401, 'unauthorized_client', 'Missing valid authorization header');
  return form;
};

/** `POST /2/oauth2/token` for a confidential client: authorization code with PKCE, and rotating refresh tokens. */
export const issueToken = (exchange: Exchange) => {
  const form = readClientForm(exchange);
  const grantType = form.get('grant_type');
  if (grantType === 'authorization_code') return redeemCode(exchange.state, form);
  if (grantType === 'refresh_token') return rotate(exchange.state, form.get('refresh_token') ?? '');
  throw refuseOauth(400, 'unsupported_grant_type', 'The grant type is not supported.');
};

const redeemCode = (state: State, form: URLSearchParams) => {
  const code = state.codes.find((c) => c.code === form.get('code'));
  if (!code) throw badCode();
  if (code.burntBy) {
    kill(state, (t) => t.grantId === code.burntBy);
    throw badCode();
  }
  code.burntBy = randomUUID();
  if (code.expiresAt <= now(state) || code.redirectUri !== form.get('redirect_uri')) throw badCode();
  const verifier = form.get('code_verifier') ?? '';
  const hashed = createHash('sha256').update(verifier).digest('base64url');
  if ((code.challengeMethod === 'S256' ? hashed : verifier) !== code.challenge)
    throw badValue('code verifier did not match the code challenge.');
  return issue(state, code.userId, code.scopes, code.burntBy);
};

const rotate = (state: State, value: string) => {
  const old = state.tokens.find((t) => t.token === value && t.kind === 'refresh');
  if (!old || old.dead || old.expiresAt <= now(state)) throw badValue('token was invalid.');
  old.dead = true;
  return issue(state, old.userId, old.scopes, old.grantId);
};

const issue = (state: State, userId: string, scopes: string[], grantId: string) => {
  const at = now(state);
  const make = (kind: Token['kind'], expiresAt: number): string => {
    const token = makeToken(kind === 'access' ? 'at' : 'rt', at);
    state.tokens.push({ token, kind, userId, scopes, expiresAt, grantId, dead: false });
    return token;
  };
  return {
    token_type: 'bearer',
    expires_in: ACCESS_LIFE_S,
    access_token: make('access', at + ACCESS_LIFE_S * 1000),
    scope: scopes.join(' '),
    ...(scopes.includes('offline.access') && { refresh_token: make('refresh', at + REFRESH_LIFE_MS) }),
  };
};

const kill = (state: State, which: (token: Token) => boolean): void => {
  for (const token of state.tokens) if (which(token)) token.dead = true;
};

/** `POST /2/oauth2/revoke`: revokes one token. An unknown token gets the same response. */
export const revokeToken = (exchange: Exchange) => {
  const value = readClientForm(exchange).get('token');
  kill(exchange.state, (t) => t.token === value);
  return { revoked: true };
};

export const disconnectApp = (state: State, userId: string): void => kill(state, (t) => t.userId === userId);

/** The user of the access token and the token's scopes. Throws the refusal that X would send. */
export const readBearer = ({ state, headers }: Exchange, needed: string[]): { user: Persona; scopes: string[] } => {
  const value = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  const token = state.tokens.find((t) => t.token === value && t.kind === 'access');
  if (!token || token.dead || token.expiresAt <= now(state)) throw refuse('unauthorized');
  const user = state.personas.find((p) => p.id === token.userId);
  if (!user || user.status === 'deleted') throw refuse('unauthorized');
  if (user.status === 'suspended') throw refuse('user-suspended');
  if (user.status === 'locked') throw refuse('locked');
  const missing = needed.filter((scope) => !token.scopes.includes(scope));
  if (missing.length > 0) throw forbid(`Your token lacks the scope: ${missing.join(', ')}.`);
  return { user, scopes: token.scopes };
};

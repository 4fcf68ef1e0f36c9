import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { says } from './says.ts';
import { IdParams, Timestamp } from './scalars.ts';
import { SCOPE_NAMES } from './scopes.ts';
import { text } from './text.ts';

const Scopes = z.array(z.enum(SCOPE_NAMES));

/** What lets a program act for a person, within its scopes, until it expires. The site stores a hash of it. */
export const AccessToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: Scopes,
  /** The last characters, to tell tokens apart. */
  lastFour: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  lastUsedAt: z.nullable(Timestamp),
});
export type AccessToken = z.output<typeof AccessToken>;

const NOT_DAYS = says('fields.tokenDays', { max: LIMITS.tokenDaysMax });

export const NewAccessToken = z.object({
  name: text({ max: LIMITS.tokenName, required: 'fields.nameToken' }),
  scopes: z.array(z.enum(SCOPE_NAMES, says('fields.unknownScope'))).check(
    z.minLength(1, says('fields.chooseScopes')),
    z.maxLength(SCOPE_NAMES.length, says('fields.scopesOnce')),
    z.refine((scopes) => new Set(scopes).size === scopes.length, {
      ...says('fields.scopesOnce'),
      params: { json: { uniqueItems: true } },
    }),
  ),
  days: z._default(
    z.int(NOT_DAYS).check(z.minimum(1, NOT_DAYS), z.maximum(LIMITS.tokenDaysMax, NOT_DAYS)),
    LIMITS.tokenDays,
  ),
});
export type NewAccessToken = z.output<typeof NewAccessToken>;

export const listAccessTokens = endpoint({
  method: 'GET',
  path: '/api/tokens',
  summary: "The signed-in user's access tokens, newest first; the tokens themselves are not stored",
  access: 'user',
  scope: 'session',
  reply: z.array(AccessToken),
  tags: ['accessTokens'],
});

export const createAccessToken = endpoint({
  method: 'POST',
  path: '/api/tokens',
  summary: 'Makes an access token, which only this response has, and tells the user by mail and notification',
  access: 'user',
  scope: 'session',
  body: NewAccessToken,
  reply: z.extend(AccessToken, { token: z.string() }),
  status: 201,
  limit: 'accessChange',
  invalidates: ['accessTokens', 'notifications', 'unreadNotifications'],
  errors: ['conflict'],
});

export const revokeAccessToken = endpoint({
  method: 'DELETE',
  path: '/api/tokens/:id',
  summary: 'Revokes an access token: from now on it does nothing',
  access: 'user',
  scope: 'session',
  params: IdParams,
  limit: 'accessChange',
  invalidates: ['accessTokens'],
});

import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import type { TextKey } from './i18n.ts';
import { LIMITS } from './limits.ts';
import { says } from './says.ts';
import { Me } from './user.ts';

/**
 * Signing in with X is a browser redirect, `GET {start}?returnTo=/path`, not an endpoint. `post` asks for the second consent,
 * for posting. X leads back to `callback`.
 */
export const X_SIGN_IN = {
  start: '/api/auth/twitter',
  post: '/api/auth/twitter/post',
  callback: '/api/auth/twitter/callback',
} as const;

export const getMe = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  summary: 'The signed-in user; 401 without one',
  access: 'user',
  scope: 'profile:read',
  whileSuspended: true,
  reply: Me,
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Ends the session',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
});

const secret = (required: TextKey) =>
  z.string(says(required)).check(
    z.minLength(1, says(required)),
    z.refine((s) => new TextEncoder().encode(s).length <= LIMITS.passwordMaxBytes, {
      ...says('fields.passwordTooLong'),
      params: { json: { maxLength: LIMITS.passwordMaxBytes } },
    }),
  );

export const signInAdmin = endpoint({
  method: 'POST',
  path: '/api/auth/admin',
  summary: 'Signs an administrator in with username and password',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({
    username: z
      .string(says('fields.usernameRequired'))
      .check(z.minLength(1, says('fields.usernameRequired')), z.maxLength(100)),
    password: secret('fields.passwordRequired'),
  }),
  reply: Me,
  errors: ['invalid_credentials', 'account_banned'],
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/admin/change-password',
  summary: "Changes the administrator's password and ends their other sessions",
  access: 'admin',
  scope: 'session',
  body: z.object({
    currentPassword: secret('fields.currentPasswordRequired'),
    newPassword: secret('fields.newPasswordRequired').check(
      z.minLength(LIMITS.passwordMin, says('fields.passwordShort', { min: LIMITS.passwordMin })),
    ),
  }),
  limit: 'password',
  errors: ['invalid_credentials'],
});

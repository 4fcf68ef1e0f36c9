import * as z from 'zod/mini';
import { EmailAddress, LinkToken } from './email.ts';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { says } from './says.ts';
import { Timestamp } from './scalars.ts';
import { Me } from './user.ts';

export const RecoveryCodes = z.object({
  /** How many still work. */
  left: z.number(),
  createdAt: z.nullable(Timestamp),
});
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

export const requestRecovery = endpoint({
  method: 'POST',
  path: '/api/auth/recovery',
  summary: 'Mails a link that signs in, if accounts have this confirmed address; the answer never says whether',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({ email: EmailAddress }),
  /** How long a link works, whether or not one was sent. */
  reply: z.object({ minutes: z.number() }),
  status: 202,
  limit: 'recovery',
});

export const recoverByLink = endpoint({
  method: 'POST',
  path: '/api/auth/recovery/link',
  summary: `Signs in with a link; it works once, for ${LIMITS.recoveryLinkMinutes} minutes`,
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({ token: LinkToken }),
  reply: Me,
  limit: 'signIn',
  errors: ['link_invalid', 'link_used', 'link_expired', 'invalid_credentials', 'account_banned'],
});

const CODE_MESSAGE = says('fields.recoveryCode');

export const recoverByCode = endpoint({
  method: 'POST',
  path: '/api/auth/recovery/code',
  summary: 'Signs in with the handle, or the username of an administrator, and a recovery code, which works once',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({
    username: z
      .string(says('fields.handleRequired'))
      .check(z.minLength(1, says('fields.handleRequired')), z.maxLength(100)),
    code: z.string(CODE_MESSAGE).check(z.minLength(1, CODE_MESSAGE), z.maxLength(100)),
  }),
  reply: Me,
  limit: 'signIn',
  errors: ['invalid_credentials', 'account_banned'],
});

export const getRecoveryCodes = endpoint({
  method: 'GET',
  path: '/api/recovery-codes',
  summary: "How many of the signed-in user's recovery codes are left",
  access: 'user',
  scope: 'session',
  reply: RecoveryCodes,
  tags: ['recoveryCodes'],
});

export const makeRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/recovery-codes',
  summary: `Makes ${LIMITS.recoveryCodes} recovery codes in place of the former ones, ends other sessions and tells the user`,
  access: 'user',
  scope: 'session',
  reply: z.object({ codes: z.array(z.string()) }),
  status: 201,
  limit: 'accessChange',
  invalidates: ['recoveryCodes', 'notifications', 'unreadNotifications'],
});

export const deleteRecoveryCodes = endpoint({
  method: 'DELETE',
  path: '/api/recovery-codes',
  summary: 'Deletes the recovery codes, ends other sessions and tells the user',
  access: 'user',
  scope: 'session',
  limit: 'accessChange',
  invalidates: ['recoveryCodes', 'notifications', 'unreadNotifications'],
});

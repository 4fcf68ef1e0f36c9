import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { t } from './i18n.ts';
import { LIMITS } from './limits.ts';
import { says, saysTooLong } from './says.ts';
import { Timestamp } from './scalars.ts';

/**
 * An address that takes part in no other syntax: an unquoted local part of ASCII, and a host name with a dot. Line breaks,
 * commas and quotes are not in it, so it can neither add a header nor name a second person.
 */
const ADDRESS =
  /^(?=.{1,254}$)(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/i;

/** Whether mail can be sent there. An international host name must be in its ASCII form. */
export const isEmailAddress = (address: string): boolean => ADDRESS.test(address);

// no character that a URL gives a meaning of its own
const INTERNATIONAL_HOST = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** Trims, and writes the host name in lower case and ASCII. Text that is no address stays as it is. */
const normalizeAddress = (text: string): string => {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const host = trimmed.slice(at + 1).toLowerCase();
  if (at < 1 || !INTERNATIONAL_HOST.test(host)) return trimmed;
  const isAscii = /^[a-z0-9.-]+$/.test(host);
  return trimmed.slice(0, at + 1) + (isAscii ? host : (URL.parse(`http://${host}`)?.hostname ?? host));
};

const describeProblem = (address: string): string => {
  if (address === '') return t('fields.email');
  return t(/[,;]/.test(address) ? 'fields.oneEmail' : 'fields.emailSuch');
};

/** One address of one person, at most LIMITS.emailAddress characters. Output: its host name in lower-case ASCII. */
export const EmailAddress = z.pipe(
  z.pipe(
    z.string(says('fields.email')).check(z.maxLength(LIMITS.emailAddress, saysTooLong(LIMITS.emailAddress))),
    z.transform(normalizeAddress),
  ),
  z.string().check(
    z.superRefine((address, context) => {
      if (!isEmailAddress(address)) context.addIssue({ code: 'custom', message: describeProblem(address) });
    }),
  ),
);

/** The token of a link in a mail, as the server signed it. */
export const LinkToken = z
  .string(says('fields.linkIncomplete'))
  .check(z.minLength(1, says('fields.linkIncomplete')), z.maxLength(1000, says('fields.linkForeign')));

export const EmailState = z.object({
  /** Whether this site sends mail at all. */
  isOffered: z.boolean(),
  /** The confirmed address. Mail goes there, unless `refused` names it or `isPaused`. */
  address: z.nullable(z.string()),
  /** `address` is the one of the X account. */
  isFromX: z.boolean(),
  /** Links that sign in may be mailed to `address`: its person was signed in when they confirmed it, or it is of X. */
  opensAccount: z.boolean(),
  /** The address of the X account, if it can be used instead of `address`. */
  xAddress: z.nullable(z.string()),
  /** An address that waits until its link is opened. */
  pending: z.nullable(z.object({ address: z.string(), expiresAt: Timestamp })),
  /** An address to which a mail server refused mail for good, and the server's reason. */
  refused: z.nullable(z.object({ address: z.string(), reason: z.string() })),
  /** The person switched all mail off. */
  isPaused: z.boolean(),
});
export type EmailState = z.output<typeof EmailState>;

export const getMyEmail = endpoint({
  method: 'GET',
  path: '/api/users/me/email',
  summary: 'Where mail for the signed-in user goes, and what it waits for',
  access: 'user',
  scope: 'profile:read',
  reply: EmailState,
  tags: ['email'],
});

export const setMyEmail = endpoint({
  method: 'PUT',
  path: '/api/users/me/email',
  summary: 'Sends a link to this address; the address counts once the link is confirmed. Repeating it sends a new link',
  access: 'user',
  scope: 'session',
  body: z.object({ email: EmailAddress }),
  reply: EmailState,
  errors: ['conflict'],
  invalidates: ['email'],
  limit: 'mailSettings',
});

export const setMyEmailPaused = endpoint({
  method: 'PATCH',
  path: '/api/users/me/email',
  summary: 'Switches all mail off or on again; the settings of the kinds stay',
  access: 'user',
  scope: 'session',
  body: z.object({ isPaused: z.boolean() }),
  reply: EmailState,
  invalidates: ['email'],
  limit: 'mailSettings',
});

export const removeMyEmail = endpoint({
  method: 'DELETE',
  path: '/api/users/me/email',
  summary: 'Removes the address, confirmed or not, and the one of the X account: no more mail is sent',
  access: 'user',
  scope: 'session',
  invalidates: ['email'],
  limit: 'mailSettings',
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/email/verify',
  summary:
    'Confirms an address by the token of the mail sent there. It opens the account only if its person is signed in here',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({ token: LinkToken }),
  reply: z.object({ address: z.string(), opensAccount: z.boolean() }),
  errors: ['link_invalid', 'link_used', 'link_expired'],
  invalidates: ['email'],
});

export const resendEmailLink = endpoint({
  method: 'POST',
  path: '/api/email/resend',
  summary: 'Sends another link to the address of this link, which may have expired',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({ token: LinkToken }),
  reply: z.object({ address: z.string() }),
  status: 202,
  errors: ['link_invalid', 'link_used', 'conflict'],
  invalidates: ['email'],
});

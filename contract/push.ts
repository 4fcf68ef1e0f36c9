import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { says, saysTooLong } from './says.ts';
import { isHttpsUrl, Timestamp } from './scalars.ts';

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\//;
const PRINTABLE = /^[!-~]+$/;

/** Address at a push service: https without credentials. Outside production also http of this machine. */
export const PushAddress = z.string(says('fields.pushService')).check(
  z.maxLength(LIMITS.pushEndpoint, saysTooLong(LIMITS.pushEndpoint)),
  z.refine(
    (s) => PRINTABLE.test(s) && (isHttpsUrl(s) || (LOOPBACK.test(s) && URL.canParse(s))),
    says('fields.httpsAddress'),
  ),
);

const KEYS_MESSAGE = "Must be the browser's keys";

const PushKeys = z.object(
  {
    /** Public key of the browser: an uncompressed point of P-256, 65 bytes in base64url. */
    p256dh: z.string(KEYS_MESSAGE).check(z.regex(/^B[A-P][\w-]{85}=?$/, KEYS_MESSAGE)),
    /** Shared secret: 16 bytes in base64url. */
    auth: z.string(KEYS_MESSAGE).check(z.regex(/^[\w-]{22}(==)?$/, KEYS_MESSAGE)),
  },
  KEYS_MESSAGE,
);

export const PushDevice = z.object({ endpoint: z.string(), createdAt: Timestamp });
export type PushDevice = z.output<typeof PushDevice>;

export const getPushKey = endpoint({
  method: 'GET',
  path: '/api/push/key',
  summary: "The site's public VAPID key, which a browser needs to subscribe",
  access: 'user',
  scope: 'session',
  reply: z.object({ publicKey: z.string() }),
});

export const listPushSubscriptions = endpoint({
  method: 'GET',
  path: '/api/push/subscriptions',
  summary: "The signed-in user's browsers that receive push notifications, newest first",
  access: 'user',
  scope: 'session',
  reply: z.array(PushDevice),
  tags: ['pushSubscriptions'],
});

export const subscribeToPush = endpoint({
  method: 'POST',
  path: '/api/push/subscriptions',
  summary: 'Sends push notifications to this browser, and no longer to the user who subscribed it before',
  access: 'user',
  scope: 'session',
  body: z.object({ endpoint: PushAddress, keys: PushKeys }),
  reply: PushDevice,
  status: 201,
  otherStatus: 200,
  invalidates: ['pushSubscriptions'],
});

export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/api/push/subscriptions',
  summary: 'Ends push notifications to one browser of the signed-in user',
  access: 'user',
  scope: 'session',
  body: z.object({ endpoint: PushAddress }),
  invalidates: ['pushSubscriptions'],
});

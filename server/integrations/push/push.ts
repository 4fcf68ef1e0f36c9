import { ECDH } from 'node:crypto';
import type { Config } from '../../config/load.ts';
import { isHttps, namesForbiddenAddress, PublicRequestError, postToPublicHost } from '../public-request.ts';

/** VAPID keys in base64url: a public point of P-256 (65 bytes) and its private number (32 bytes). */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

export interface PushTarget {
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
}

export interface PushMessage {
  /** Encrypted for the browser; at most 3,993 bytes. */
  payload: string;
  /** How long the push service keeps it for a browser that is offline. */
  ttlSeconds: number;
  urgency: 'very-low' | 'low' | 'normal' | 'high';
  /** Replaces an undelivered message with the same topic: up to 32 characters of base64url. */
  topic: string | undefined;
}

/**
 * - `sent`: the push service accepted the message.
 * - `gone`: the browser no longer subscribes, or the address is not on the public internet.
 * - `waiting`: the push service has not accepted the message, and may accept it later.
 * - `failed`: the push service refused the message, or may have accepted it.
 */
export interface PushOutcome {
  outcome: 'sent' | 'gone' | 'waiting' | 'failed';
  /** For operators; null when sent. */
  error: string | null;
}

export const createPushKeys = async (): Promise<PushKeys> => (await import('web-push')).default.generateVAPIDKeys();

/** Whether this is a point of the curve; a message cannot be encrypted for any other. */
export const isPublicKey = (p256dh: Buffer): boolean => {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', undefined, undefined, 'compressed');
    return true;
  } catch {
    return false;
  }
};

/** Whether an endpoint may be subscribed. Outside production, push services may run on this machine. */
export const isPushAddress = (endpoint: string, { isProduction }: Pick<Config, 'isProduction'>): boolean =>
  (isHttps(endpoint) || !isProduction) && !namesForbiddenAddress(endpoint, !isProduction);

const TIMEOUT_MS = 10_000;

/** The push service has the endpoint no longer, or never had it. */
const GONE = [404, 410];
/** The push service says that it has not accepted the message. After other 5xx it may have. */
const NOT_YET = [429, 503];

/** Encrypts a message for one browser (RFC 8291) and posts it to its push service, signed (RFC 8292). */
export const postPush = async (
  { isProduction, vapidSubject }: Pick<Config, 'isProduction' | 'vapidSubject'>,
  keys: PushKeys,
  { endpoint, p256dh, auth }: PushTarget,
  { payload, ttlSeconds, urgency, topic }: PushMessage,
): Promise<PushOutcome> => {
  const webPush = (await import('web-push')).default;
  const subscription = { endpoint, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } };
  const { headers, body } = webPush.generateRequestDetails(subscription, payload, {
    vapidDetails: { subject: vapidSubject, ...keys },
    contentEncoding: 'aes128gcm',
    TTL: ttlSeconds,
    urgency,
    ...(topic !== undefined && { topic }),
  });
  try {
    const { status } = await postToPublicHost({
      url: endpoint,
      headers: headers as Record<string, string>,
      body,
      timeoutMs: TIMEOUT_MS,
      allowsLoopback: !isProduction,
    });
    return toOutcome(status, new URL(endpoint).host);
  } catch (error) {
    if (!(error instanceof PublicRequestError)) throw error;
    const { failure, message } = error;
    return { outcome: failure === 'forbidden' ? 'gone' : failure === 'unsent' ? 'waiting' : 'failed', error: message };
  }
};

const toOutcome = (status: number, host: string): PushOutcome => {
  if (status >= 200 && status < 300) return { outcome: 'sent', error: null };
  const outcome = GONE.includes(status) ? 'gone' : NOT_YET.includes(status) ? 'waiting' : 'failed';
  return { outcome, error: `${host} responded ${status}` };
};

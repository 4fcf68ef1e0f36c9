import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Keygrip from 'keygrip';
import type { LRUCache } from 'lru-cache';
import type { Config } from '../../config/load.ts';
import { SESSION_SECONDS, type SessionKind } from '../../features/auth/session-repository.ts';
import { SESSION_COOKIE } from '../request/request-info.ts';

const SID = /^[\w-]{43}$/;
const SENT_SID = /(?:^|;) *connect\.sid=([^;]*)/;
const SENT_SIGNATURE = /(?:^|;) *connect\.sid\.sig=([^;]*)/;

export const newSid = (): string => randomBytes(32).toString('base64url');

/** The first key signs, all verify, so that rotating a key signs no user out. */
export const createKeygrip = ({ sessionKeys }: Pick<Config, 'sessionKeys'>): Keygrip =>
  new Keygrip([...sessionKeys], 'sha256');

export const cookieOptions = (config: Pick<Config, 'isHttps'>, kind: SessionKind) => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: config.isHttps,
  path: '/',
  overwrite: true,
  maxAge: SESSION_SECONDS[kind].total * 1000,
});

export interface SignedSid {
  sid: string;
  isOldKey: boolean;
}

/** Verified signatures, by id and signature: verifying one takes several HMACs. */
export type KnownSignatures = LRUCache<string, SignedSid>;

export function readSid(
  { headers }: Pick<IncomingMessage, 'headers'>,
  keys: Keygrip,
  known?: KnownSignatures,
): SignedSid | undefined {
  const sid = SENT_SID.exec(headers.cookie ?? '')?.[1];
  const signature = SENT_SIGNATURE.exec(headers.cookie ?? '')?.[1];
  if (sid === undefined || signature === undefined || !SID.test(sid)) return undefined;
  const pair = `${sid} ${signature}`;
  const found = known?.get(pair);
  if (found) return found;
  const index = keys.index(`${SESSION_COOKIE}=${sid}`, signature);
  if (index < 0) return undefined;
  const signed = { sid, isOldKey: index > 0 };
  known?.set(pair, signed);
  return signed;
}

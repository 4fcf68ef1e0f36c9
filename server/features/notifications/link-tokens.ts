import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NotificationKind } from '../../../contract/notifications.ts';
import type { AppContext } from '../../app-context.ts';
import { variables } from '../../config/schema.ts';

/** What a link in a mail allows, by its purpose: the payload names the rows. A link of one purpose is no other. */
export interface LinkPayloads {
  'verify-email': { userId: string; pendingId: string };
  /** Answers whether an ad that ends at that time is still available. */
  expiry: { userId: string; adId: string; endsAt: string };
  /** Shows the holder's ban, which they cannot read signed in. */
  ban: { userId: string; userSince: number };
  /** With the time when the account was created: after a restore, another account may have its id. */
  unsubscribe: { userId: string; userSince: number; kind: NotificationKind };
}
export type LinkPurpose = keyof LinkPayloads;

export type ReadLink<P extends LinkPurpose> =
  | { state: 'valid' | 'expired'; payload: LinkPayloads[P] }
  | { state: 'invalid' };

type LinkContext = Pick<AppContext, 'config' | 'clock'>;

const sign = (key: string, purpose: LinkPurpose, content: string): Buffer =>
  createHmac('sha256', key).update(`tradepost link\n${purpose}\n${content}`).digest();

/**
 * A token for the address of a link, valid for that many seconds. Its holder needs no session. It can be read by
 * everyone and is signed with the first of SESSION_KEYS. @throws where the process has no keys of the site
 */
export const signLink = <P extends LinkPurpose>(
  { config, clock }: LinkContext,
  purpose: P,
  payload: LinkPayloads[P],
  seconds: number,
): string => {
  const key = config.sessionKeys[0]!;
  // a command may run without SESSION_KEYS: nothing would accept its links
  if (config.isProduction && key === variables.sessionKeys.default) throw new Error('SESSION_KEYS is not set');
  const endsAt = Math.floor(clock.now().valueOf() / 1000) + seconds;
  const content = Buffer.from(JSON.stringify([endsAt, payload])).toString('base64url');
  return `${content}.${sign(key, purpose, content).toString('base64url')}`;
};

/**
 * What a token of this purpose allows. `invalid`: signed for another purpose, changed, or signed with a key that is no
 * longer in SESSION_KEYS. An expired token still proves who got it, so a page can offer another one.
 */
export const readLink = <P extends LinkPurpose>(
  { config, clock }: LinkContext,
  purpose: P,
  token: string,
): ReadLink<P> => {
  const [content = '', signature = ''] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const isGenuine = config.sessionKeys.some((key) => {
    const expected = sign(key, purpose, content);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  // one spelling: base64url ignores trailing bits
  if (!isGenuine || `${content}.${given.toString('base64url')}` !== token) return { state: 'invalid' };
  const [endsAt, payload] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [number, LinkPayloads[P]];
  return { state: clock.now().valueOf() < endsAt * 1000 ? 'valid' : 'expired', payload };
};

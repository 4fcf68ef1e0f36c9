import type { ExpiryAnswer } from '../../../contract/expiry.ts';
import { EXPIRY_ANSWERS } from '../../../contract/expiry-words.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { signLink } from './link-tokens.ts';

/** The question about the end of an ad. A renewed ad has another end, so the question is over. */
export interface ExpirySubject {
  adId: string;
  /** ISO time. */
  endsAt: string;
}

const PATH = '/still-available';

/** All notifications about the end of an ad lead to paths that begin with this. */
export const toExpiryPathPrefix = (adId: string): string => `${PATH}?ad=${adId}&`;

/** The path of the page where the signed-in owner answers. */
export const toExpiryPath = ({ adId, endsAt }: ExpirySubject): string =>
  `${toExpiryPathPrefix(adId)}ends=${encodeURIComponent(endsAt)}`;

const parseExpiryPath = (path: string): ExpirySubject | undefined => {
  const query = new URLSearchParams(path.slice(PATH.length + 1));
  const [adId, endsAt] = [query.get('ad'), query.get('ends')];
  return path.startsWith(`${PATH}?`) && adId && endsAt ? { adId, endsAt } : undefined;
};

const DAY = 24 * 3600;

/**
 * The links of a mail about the end of an ad, one an answer, as absolute addresses. They open a page that needs no
 * sign-in and changes nothing until the person clicks. Empty if `path` is not one of toExpiryPath.
 */
export const listExpiryLinks = (
  ctx: Pick<AppContext, 'config' | 'clock'>,
  { userId, path, hasEnded }: { userId: string; path: string; hasEnded: boolean },
): { label: string; url: string }[] => {
  const subject = parseExpiryPath(path);
  if (subject === undefined) return [];
  const token = signLink(ctx, 'expiry', { userId, ...subject }, LIMITS.expiryLinkDays * DAY);
  const answers: ExpiryAnswer[] = hasEnded ? ['renew', 'sold'] : ['renew', 'sold', 'expire'];
  return answers.map((answer) => ({
    label: EXPIRY_ANSWERS[answer],
    url: `${ctx.config.publicUrl}${PATH}?answer=${answer}&token=${token}`,
  }));
};

import type { XConnectionStatus, XPost, XPosting } from '../../../contract/x-posting.ts';
import type { AppContext } from '../../app-context.ts';
import type { UserRow } from '../../db/rows.ts';
import type { CircuitBreaker, PostDetails, XAccountRow } from './repository.ts';
import { buildPost, NO_ID } from './text.ts';
import { allowsPosting, isLinked } from './tokens.ts';

const SAMPLE = { id: NO_ID, title: 'Vintage desk lamp', price: '45.00', priceType: 'fixed' } as const;

export const presentXPosting = (
  { config }: Pick<AppContext, 'config'>,
  user: Pick<UserRow, 'post_to_x'>,
  account: XAccountRow | undefined,
  circuit?: CircuitBreaker,
): XPosting => ({
  mode: config.xPosting,
  status: getConnectionStatus(account, config.x.mode),
  adsSince: account?.autopost_ads_at ?? null,
  favoritesSince: account?.autopost_favorites_at ?? null,
  wantsPost: user.post_to_x,
  stopped: circuit ? { since: circuit.since, until: circuit.until } : null,
  samples: {
    ad: buildPost(config, 'ad', SAMPLE),
    favorite: buildPost(config, 'favorite', SAMPLE),
  },
});

const getConnectionStatus = (account: XAccountRow | undefined, mode: XAccountRow['env']): XConnectionStatus => {
  if (!account || !isLinked(account, mode)) return 'none';
  if (account.status === 'suspended') return 'suspended';
  return account.status === 'ok' && allowsPosting(account.scopes) ? 'ok' : 'reauth';
};

const REASONS: Record<string, string> = {
  'no answer': 'X did not answer, so it is unknown whether it was posted. Look at your profile before you try again.',
  interrupted:
    'Sending was interrupted, so it is unknown whether it was posted. Look at your profile before you try again.',
  duplicate: 'X says that you posted this text already.',
  suspended: 'X has suspended the account.',
  locked: 'X has locked the account for now. Sign in to X to unlock it.',
  reauth: 'The connection to X has ended. Connect your account again.',
  disconnected: 'The account was disconnected before the post was sent.',
  'consent withdrawn': 'Posting was turned off before the post was sent.',
  'ad not available': 'The ad was no longer for sale when the post was due.',
  'not a favorite any more': 'The ad was removed from the favorites before the post was sent.',
  'account suspended': 'The account is suspended here.',
  'posting is off': 'Posting to X is turned off on this site.',
  'rate limited': 'X takes no more posts for now. It will be tried again.',
  'credits-depleted': 'Posting to X is paused for the whole site. It will be tried again.',
};
const WAITING = 'X has trouble at the moment. It will be tried again.';
const REFUSED = 'X did not accept the post.';

/** `mayRetry`: the viewer owns the post. */
export const presentXPost = (row: PostDetails, webUrl: string, mayRetry: boolean): XPost => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  text: row.body,
  url: row.x_post_id && `${webUrl}/${row.username ?? 'i/web'}/status/${row.x_post_id}`,
  reason: row.error && (REASONS[row.error] ?? (row.status === 'pending' ? WAITING : REFUSED)),
  username: row.username,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  canRetry: mayRetry && row.kind === 'ad' && isRetryable(row),
});

export const isRetryable = ({ status }: Pick<PostDetails, 'status'>): boolean =>
  status === 'failed' || status === 'unknown';

import { speaking, type TextKey, t } from '../../../contract/i18n.ts';
import type { XConnectionStatus, XPost, XPosting } from '../../../contract/x-posting.ts';
import type { AppContext } from '../../app-context.ts';
import type { UserRow } from '../../db/rows.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import type { CircuitBreaker, PostDetails, XAccountRow } from './repository.ts';
import { buildPost, NO_ID, type PostKind } from './text.ts';
import { allowsPosting, isLinked } from './tokens.ts';

const SAMPLE = { id: NO_ID, price: '45.00', priceType: 'fixed' } as const;

/** What a post would say, with an example that the marketplace's own language has. */
const buildSample = (config: AppContext['config'], kind: PostKind): string => {
  const title = speaking(readTextsOf(null, config), () => t('xPost.sample'));
  return buildPost(config, kind, { ...SAMPLE, title });
};

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
  samples: { ad: buildSample(config, 'ad'), favorite: buildSample(config, 'favorite') },
});

const getConnectionStatus = (account: XAccountRow | undefined, mode: XAccountRow['env']): XConnectionStatus => {
  if (!account || !isLinked(account, mode)) return 'none';
  if (account.status === 'suspended') return 'suspended';
  return account.status === 'ok' && allowsPosting(account.scopes) ? 'ok' : 'reauth';
};

/** What became of a post, by the code that is stored. */
const REASONS: Readonly<Record<string, TextKey>> = {
  'no answer': 'xPosts.reason_noAnswer',
  interrupted: 'xPosts.reason_interrupted',
  duplicate: 'xPosts.reason_duplicate',
  suspended: 'xPosts.reason_suspended',
  locked: 'xPosts.reason_locked',
  reauth: 'xPosts.reason_reauth',
  disconnected: 'xPosts.reason_disconnected',
  'consent withdrawn': 'xPosts.reason_consentWithdrawn',
  'ad not available': 'xPosts.reason_adGone',
  'not a favorite any more': 'xPosts.reason_notFavorite',
  'account suspended': 'xPosts.reason_accountSuspended',
  'posting is off': 'xPosts.reason_postingOff',
  'rate limited': 'xPosts.reason_rateLimited',
  'credits-depleted': 'xPosts.reason_creditsGone',
};

const explain = (error: string, status: PostDetails['status']): string =>
  t(REASONS[error] ?? (status === 'pending' ? 'xPosts.reason_waiting' : 'xPosts.reason_refused'));

/** `mayRetry`: the viewer owns the post. */
export const presentXPost = (row: PostDetails, webUrl: string, mayRetry: boolean): XPost => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  text: row.body,
  url: row.x_post_id && `${webUrl}/${row.username ?? 'i/web'}/status/${row.x_post_id}`,
  reason: row.error && explain(row.error, row.status),
  username: row.username,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  canRetry: mayRetry && row.kind === 'ad' && isRetryable(row),
});

export const isRetryable = ({ status }: Pick<PostDetails, 'status'>): boolean =>
  status === 'failed' || status === 'unknown';

import { ExternalLink, RotateCw } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import { listXPosts, retryXPost, type XPost } from '../../../../contract/x-posting.ts';
import { apiRequest } from '../../api/client.ts';
import { usePoll } from '../../api/events.ts';
import { useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { formatTimeAgo } from '../../lib/format.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { XLogo } from '../../ui/icons.tsx';

const POLL_MS = 3000;
const isInProgress = (posts: XPost[] | undefined) =>
  posts?.some(({ status }) => status === 'pending' || status === 'sending') ?? false;

export const XPostStatusCard = ({ adId }: { adId: string }) => {
  const { xPosting } = useSiteConfig();
  const params = { id: adId };
  const { data, mutate } = useApiQuery(listXPosts, xPosting === 'off' ? null : { params });
  usePoll(() => mutate(), isInProgress(data) ? POLL_MS : null);
  const post = data?.find(({ kind }) => kind === 'ad');
  return post ? (
    <PostNotice post={post} adId={adId} onChange={(changed) => void mutate([changed], { revalidate: false })} />
  ) : null;
};

interface PostNoticeProps {
  post: XPost;
  adId: string;
  onChange: (post: XPost) => void;
}

const PostNotice = ({ post, adId, onChange }: PostNoticeProps) => (
  <section aria-label={t('xPosts.post')} className="grid gap-2 rounded-card border border-border bg-card p-4 text-sm">
    <div className="flex flex-wrap items-center gap-2">
      <XLogo className="size-4" />
      <h2 className="font-semibold">{t('xPosts.post')}</h2>
      <PostState status={post.status} />
    </div>
    {post.reason && post.status !== 'posted' ? <p className="text-muted-foreground">{post.reason}</p> : null}
    {post.status === 'posted' && !post.url ? <p className="text-muted-foreground">{t('xPosts.onProfile')}</p> : null}
    {post.url ? (
      <a href={post.url} target="_blank" rel="noopener" className="inline-flex w-fit items-center gap-1.5 text-link">
        {t('xPosts.see')} <ExternalLink className="size-4" />
      </a>
    ) : null}
    {post.canRetry ? <Retry adId={adId} onChange={onChange} /> : null}
  </section>
);

const Retry = ({ adId, onChange }: Omit<PostNoticeProps, 'post'>) => {
  const { isBusy, run } = useAction();
  const handleClick = () =>
    run(async () => onChange(await apiRequest(retryXPost, { params: { id: adId } })), t('xPosts.pleaseTryAgain'));
  return (
    <Button variant="outline" size="sm" className="w-fit" busy={isBusy} onClick={() => void handleClick()}>
      <RotateCw /> {t('shell.tryAgain')}
    </Button>
  );
};

const STATES = {
  pending: ['xPosts.status_pending', 'neutral'],
  sending: ['xPosts.status_sending', 'neutral'],
  posted: ['xPosts.status_posted', 'success'],
  failed: ['xPosts.status_failed', 'destructive'],
  skipped: ['xPosts.status_skipped', 'neutral'],
  unknown: ['xPosts.status_unknown', 'warning'],
} as const;

export const PostState = ({ status }: Pick<XPost, 'status'>) => {
  const [label, variant] = STATES[status];
  return <Badge variant={variant}>{t(label)}</Badge>;
};

export const XPostHistory = ({ adId }: { adId: string }) => {
  const { data } = useApiQuery(listXPosts, { params: { id: adId } }, { freshMs: 0 });
  if (!data || data.length === 0) return null;
  return (
    <section>
      <h4 className="mb-2 font-semibold">{t('xPosts.posts')}</h4>
      <ul className="grid gap-3">
        {data.map((post) => (
          <li key={post.id} className="grid gap-1 text-sm">
            <PostLine post={post} />
            {post.reason ? <p className="text-muted-foreground">{post.reason}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
};

const PostLine = ({ post }: { post: XPost }) => (
  <div className="flex flex-wrap items-center gap-2">
    <PostState status={post.status} />
    <span>{t(post.kind === 'ad' ? 'xPosts.ofAd' : 'xPosts.ofFavorite')}</span>
    <span className="text-muted-foreground">
      <bdi>@{post.username ?? '—'}</bdi> · {formatTimeAgo(post.updatedAt)}
    </span>
    {post.url ? (
      <a href={post.url} target="_blank" rel="noopener" className="text-link">
        {t('xPosts.view')}
      </a>
    ) : null}
  </div>
);

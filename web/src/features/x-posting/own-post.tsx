import { ExternalLink, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { listXPosts, retryXPost, type XPost } from '../../../../contract/x-posting.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useCall } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { XLogo } from '../../ui/x-logo.tsx';
import { useSiteEnv } from '../site/site-env.ts';
import { PostState } from './post-state.tsx';

const POLL_MS = 3000;
const isOnItsWay = (posts: XPost[] | undefined) =>
  posts?.some(({ status }) => status === 'pending' || status === 'sending') ?? false;

/** To the seller, on the ad's page: the post about it, where it is, or why it is not there. */
export const OwnPost = ({ adId }: { adId: string }) => {
  const { xPosting } = useSiteEnv();
  const params = { id: adId };
  const { data, mutate } = useCall(listXPosts, xPosting === 'off' ? null : { params }, {
    refreshInterval: (posts) => (isOnItsWay(posts) ? POLL_MS : 0),
  });
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
  <section aria-label="Post on X" className="grid gap-2 rounded-card border border-border bg-card p-4 text-sm">
    <div className="flex flex-wrap items-center gap-2">
      <XLogo className="size-4" />
      <h2 className="font-semibold">Post on X</h2>
      <PostState status={post.status} />
    </div>
    {post.reason && post.status !== 'posted' ? <p className="text-muted-foreground">{post.reason}</p> : null}
    {post.status === 'posted' && !post.url ? (
      <p className="text-muted-foreground">X says that it is on your profile.</p>
    ) : null}
    {post.url ? (
      <a
        href={post.url}
        target="_blank"
        rel="noopener"
        className="inline-flex w-fit items-center gap-1.5 text-primary underline-offset-4 hover:underline"
      >
        See the post on X <ExternalLink aria-hidden="true" className="size-4" />
      </a>
    ) : null}
    {post.canRetry ? <Retry adId={adId} onChange={onChange} /> : null}
  </section>
);

const Retry = ({ adId, onChange }: Omit<PostNoticeProps, 'post'>) => {
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const handleClick = async () => {
    setBusy(true);
    try {
      onChange(await call(retryXPost, { params: { id: adId } }));
    } catch (error) {
      toast({ title: 'Error', description: messageOf(error, 'Please try again.'), variant: 'destructive' });
      setBusy(false);
    }
  };
  return (
    <Button variant="outline" size="sm" className="w-fit" busy={isBusy} onClick={() => void handleClick()}>
      <RotateCw aria-hidden="true" /> Try again
    </Button>
  );
};

import { listXPosts, type XPost } from '../../../../contract/x-posting.ts';
import { useCall } from '../../api/use-call.ts';
import { formatTimeAgo } from '../../lib/format-time.ts';
import { PostState } from './post-state.tsx';

/** To administrators: every post about an ad and what became of it. Nothing where there is none. */
export const AdPosts = ({ adId }: { adId: string }) => {
  const { data } = useCall(listXPosts, { params: { id: adId } }, { revalidateOnMount: true });
  if (!data || data.length === 0) return null;
  return (
    <section>
      <h4 className="mb-2 font-semibold">Posts on X</h4>
      <ul className="grid gap-3">
        {data.map((post) => (
          <li key={post.id} className="grid gap-1 text-sm">
            <Line post={post} />
            {post.reason ? <p className="text-muted-foreground">{post.reason}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
};

const Line = ({ post }: { post: XPost }) => (
  <div className="flex flex-wrap items-center gap-2">
    <PostState status={post.status} />
    <span>{post.kind === 'ad' ? 'The ad' : 'A favorite'}</span>
    <span className="text-muted-foreground">
      @{post.username ?? '—'} · {formatTimeAgo(post.updatedAt)}
    </span>
    {post.url ? (
      <a href={post.url} target="_blank" rel="noopener" className="text-primary underline-offset-4 hover:underline">
        Open
      </a>
    ) : null}
  </div>
);

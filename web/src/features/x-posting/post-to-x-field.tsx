import { ExternalLink } from 'lucide-react';
import { useId } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/checkbox.tsx';
import { PostPreview } from './post-preview.tsx';
import { usePostText } from './use-post-text.ts';
import { connectUrl, useXPosting } from './use-x-posting.ts';

interface PostToXFieldProps {
  title: string;
  price: string;
  /** From usePostToXChoice. */
  isTicked: boolean;
  onChange: (isTicked: boolean) => void;
}

/** The box of the create form that agrees to one post, with its exact text. Nothing where the site does not post itself. */
export const PostToXField = ({ title, price, isTicked, onChange }: PostToXFieldProps) => {
  const { data } = useXPosting();
  const hintId = useId();
  if (data?.mode !== 'api') return null;
  const canPost = data.status === 'ok';
  return (
    <div className="grid gap-3" data-slot="post-to-x">
      <div>
        <CheckField
          checked={isTicked}
          disabled={!canPost}
          aria-describedby={hintId}
          onChange={(event) => onChange(event.target.checked)}
        >
          Also post to my X account
        </CheckField>
        <p id={hintId} className="pl-8 text-sm text-muted-foreground">
          {canPost
            ? 'One post about this ad, with the text below. Your choice is remembered for your next ad.'
            : HINTS[data.status]}
        </p>
      </div>
      {canPost ? null : (
        <Button asChild variant="outline" size="sm" className="w-fit">
          <a href={connectUrl('/dashboard')} target="_blank" rel="noopener">
            Connect my X account <ExternalLink aria-hidden="true" />
          </a>
        </Button>
      )}
      {isTicked ? <Preview title={title} price={price} /> : null}
    </div>
  );
};

const HINTS = {
  none: 'Your X account must be connected for posting first. That opens in a new tab; this form stays as it is.',
  reauth: 'The connection to your X account has ended. Connect it again in a new tab; this form stays as it is.',
  suspended: 'X has suspended the account. Once that is settled, connect it again.',
  ok: '',
};

const Preview = ({ title, price }: { title: string; price: string }) => {
  const { user } = useSession();
  const text = usePostText(title, price);
  if (!text) return <p className="text-sm text-muted-foreground">Add a title and a price to see the post.</p>;
  return (
    <>
      <PostPreview text={text} label={`Will be posted as @${user?.username ?? ''}`} />
      <p className="text-xs text-muted-foreground">The … becomes the ad’s number once it is created.</p>
    </>
  );
};

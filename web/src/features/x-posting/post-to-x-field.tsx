import { ExternalLink, Info } from 'lucide-react';
import { useId } from 'react';
import { useFormContext } from 'react-hook-form';
import { t } from '../../../../contract/i18n.ts';
import type { PriceType } from '../../../../contract/prices.ts';
import { previewXPost } from '../../../../contract/x-posting.ts';
import { useSession } from '../../api/session.ts';
import { usePreview } from '../../api/uncached-query.ts';
import { useFormValues } from '../../api/use-form-values.ts';
import { useDebouncedValue } from '../../hooks/use-debounced-value.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { CheckField } from '../../ui/form-controls.tsx';
import { XLogo } from '../../ui/icons.tsx';
import type { AdValues } from '../ads/form/ad-values.ts';
import { connectUrl, useXPosting } from './use-x-posting.ts';

export interface PostToXProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** What the create form offers, by the mode of posting to X. */
export const PostToXOptions = (props: PostToXProps) =>
  useSiteConfig().xPosting === 'api' ? (
    <PostToXField {...props} />
  ) : (
    <p className="flex items-start gap-2 rounded-control bg-accent p-3 text-sm text-accent-foreground">
      <Info className="mt-0.5 size-4 shrink-0" />
      {t('post.xOneClick')}
    </p>
  );

/** The checkbox of the create form: consent to one post, whose exact text it shows. */
const PostToXField = ({ isChecked, onChange }: PostToXProps) => {
  const { data } = useXPosting();
  const hintId = useId();
  if (data?.mode !== 'api') return null;
  const canPost = data.status === 'ok';
  return (
    <div className="grid gap-3" data-slot="post-to-x">
      <div>
        <CheckField
          checked={isChecked}
          disabled={!canPost}
          aria-describedby={hintId}
          onChange={(event) => onChange(event.target.checked)}
        >
          {t('post.xAlsoPost')}
        </CheckField>
        <p id={hintId} className="ps-8 text-sm text-muted-foreground">
          {t(HINTS[data.status])}
        </p>
      </div>
      {canPost ? null : (
        <LinkButton
          to={connectUrl('/preferences')}
          target="_blank"
          rel="noopener"
          variant="outline"
          size="sm"
          className="w-fit"
        >
          {t('post.xConnect')} <ExternalLink />
        </LinkButton>
      )}
      {isChecked ? <Preview /> : null}
    </div>
  );
};

const HINTS = {
  none: 'post.xHint_none',
  reauth: 'post.xHint_reauth',
  suspended: 'post.xHint_suspended',
  ok: 'post.xHint_ok',
} as const;

const Preview = () => {
  const { user } = useSession();
  const [title, price, priceType] = useFormValues(useFormContext<AdValues>(), 'title', 'price', 'priceType');
  const text = useXPostPreview(title, price, priceType);
  if (!text) return <p className="text-sm text-muted-foreground">{t('post.xIncomplete')}</p>;
  return (
    <>
      <PostPreview text={text} label={t('post.xWillBePosted', { handle: `@${user?.username ?? ''}` })} />
      <p className="text-xs text-muted-foreground">{t('post.xNumberLater')}</p>
    </>
  );
};

export const PostPreview = ({ text, label }: { text: string; label: string }) => (
  <figure className="grid gap-2 rounded-card border border-border bg-surface p-4">
    <figcaption className="flex items-center gap-2 text-xs font-medium text-muted-foreground">
      <XLogo className="size-3.5" /> {label}
    </figcaption>
    <p dir="auto" className="text-sm break-words whitespace-pre-line">
      {text}
    </p>
  </figure>
);

const PAUSE_MS = 350;

/** The text that the server would post; undefined while title or price is missing. */
export const useXPostPreview = (title: string, price: string, priceType: PriceType): string | undefined => {
  const typed = { title: useDebouncedValue(title, PAUSE_MS), price: useDebouncedValue(price, PAUSE_MS), priceType };
  const isComplete = typed.title.trim() !== '' && typed.price.trim() !== '';
  const { data, error } = usePreview(previewXPost, isComplete ? typed : null);
  return isComplete && !error ? data?.text : undefined;
};

import { Link } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { formatPrice } from '../../../../contract/format-price.ts';
import { AdPosts } from '../../features/x-posting/ad-posts.tsx';
import { formatCount } from '../../lib/format-count.ts';
import { formatDate } from '../../lib/format-time.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Picture } from '../../ui/picture.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { AdStatus } from './ad-status.tsx';
import { Details } from './details.tsx';
import { useActivateAd } from './use-activate-ad.ts';

interface AdDialogProps {
  ad: Ad | undefined;
  onDeactivate: (ad: Ad) => void;
  onDelete: (ad: Ad) => void;
  onClose: () => void;
}

/** An ad as a moderator judges it: all pictures, the whole text, where it stands. */
export const AdDialog = ({ ad, onDeactivate, onDelete, onClose }: AdDialogProps) => (
  <Dialog open={ad !== undefined} onOpenChange={onClose} title="Ad details" className="sm:max-w-2xl">
    {ad ? (
      <>
        <h3 className="text-lg font-semibold">
          <bdi>{ad.title}</bdi>
        </h3>
        {ad.images.length > 0 ? (
          <ul className="flex flex-wrap gap-2">
            {ad.images.map((image, index) => (
              <li key={image.url}>
                <a href={image.url} target="_blank" rel="noopener">
                  <Picture
                    image={image}
                    alt={`Photo ${index + 1} of ${ad.images.length}`}
                    className="size-24 rounded-control object-cover"
                  />
                </a>
              </li>
            ))}
          </ul>
        ) : null}
        <p dir="auto" className="whitespace-pre-line break-words">
          {ad.description}
        </p>
        <Details
          rows={[
            ['Status', <AdStatus key="status" ad={ad} />],
            ['Reason', ad.stateReason],
            ['Poster', <Poster key="poster" ad={ad} />],
            ['Category', ad.category],
            ['Price', formatPrice(ad.price)],
            ['Location', ad.location],
            ['External link', ad.externalLink],
            ['Views', formatCount(ad.views)],
            ['Posted', formatDate(ad.createdAt)],
            ['Expires', ad.expiresAt ? formatDate(ad.expiresAt) : null],
          ]}
        />
        <AdPosts adId={ad.id} />
        <AdActions ad={ad} onDeactivate={onDeactivate} onDelete={onDelete} />
      </>
    ) : null}
  </Dialog>
);

// The name apart from the handle: beside an Arabic one the brackets would turn around.
const Poster = ({ ad }: { ad: Ad }) => (
  <>
    <bdi>{ad.user.displayName}</bdi> (@{ad.user.username ?? '—'})
  </>
);

const AdActions = ({ ad, onDeactivate, onDelete }: Pick<AdDialogProps, 'onDeactivate' | 'onDelete'> & { ad: Ad }) => {
  const activate = useActivateAd();
  const showToast = useToast();
  const handleFlag = () =>
    showToast({
      title: 'Feature Coming Soon',
      description: 'Ad flagging functionality will be available in a future update.',
    });
  return (
    <div className="flex flex-wrap gap-2">
      <Button asChild variant="outline">
        <Link to={`/ads/${ad.id}`}>Open ad</Link>
      </Button>
      <Button variant="outline" onClick={handleFlag}>
        Flag for Review
      </Button>
      {ad.isActive ? null : (
        <Button onClick={() => void activate(ad)}>{ad.state === 'pending' ? 'Approve' : 'Activate'}</Button>
      )}
      {ad.isActive || ad.state === 'pending' ? (
        <Button variant="outline" onClick={() => onDeactivate(ad)}>
          {ad.state === 'pending' ? 'Reject' : 'Deactivate'}
        </Button>
      ) : null}
      <Button variant="destructive" onClick={() => onDelete(ad)}>
        Delete Ad
      </Button>
    </div>
  );
};

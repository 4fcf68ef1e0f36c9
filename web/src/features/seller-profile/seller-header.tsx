import { CalendarDays, ExternalLink, MessageCircle, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '../../../../contract/users.ts';
import { useSession } from '../../api/session.ts';
import { formatMonth } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Figure } from '../../ui/figure.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { LocalDate } from '../../ui/local-date.tsx';
import { SellerBadges } from '../ads/seller-badges.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';

export const SellerHeader = ({ profile }: { profile: Profile }) => {
  const { user, stats } = profile;
  const me = useSession().user;
  return (
    <Card className="grid gap-5">
      <div className="flex flex-col gap-4 sm:flex-row sm:items-start sm:gap-6">
        <Avatar src={user.avatar} name={user.displayName} className="size-24 text-3xl sm:size-32 sm:text-4xl" />
        <div className="min-w-0 grow">
          <h1 className="flex items-center gap-1.5 text-2xl font-semibold sm:text-3xl">
            <bdi className="truncate">{user.displayName}</bdi>
            <SellerBadges user={user} />
          </h1>
          <p className="text-muted-foreground">@{user.username}</p>
          {user.xAccountCreated ? (
            <p className="mt-2 flex items-center gap-1.5 text-sm text-muted-foreground">
              <CalendarDays aria-hidden="true" className="size-4" />
              <span>
                X account created <LocalDate iso={user.xAccountCreated} format={formatMonth} />
              </span>
            </p>
          ) : null}
          <a
            href={`https://x.com/${user.username}`}
            target="_blank"
            rel="noopener"
            className="mt-2 inline-flex min-h-6 items-center gap-1 text-sm text-link"
          >
            View on X <ExternalLink aria-hidden="true" className="size-3.5" />
          </a>
        </div>
        {me?.id === user.id ? null : (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <ContactSeller profile={profile} />
            <Button asChild variant="outline">
              <a href={`https://x.com/intent/follow?screen_name=${user.username}`} target="_blank" rel="noopener">
                <UserPlus aria-hidden="true" /> Follow
              </a>
            </Button>
          </div>
        )}
      </div>
      <dl className="grid grid-cols-3 gap-3 border-t border-border pt-4 text-center">
        <SellerFigure term="Total Ads" value={stats.totalAds} />
        <SellerFigure term="Active Ads" value={stats.activeAds} />
        <SellerFigure term="Total Views" value={stats.totalViews} />
      </dl>
    </Card>
  );
};

const SellerFigure = ({ term, value }: { term: string; value: number }) => (
  <div className="flex flex-col-reverse">
    <dt className="text-sm text-muted-foreground">{term}</dt>
    <dd className="text-xl font-semibold sm:text-2xl">
      <Figure value={value} />
    </dd>
  </div>
);

const ContactDialog = lazyOverlay(() =>
  import('../messages/contact-dialog.tsx').then((module) => module.ContactDialog),
);

/** Opens a conversation about the seller's newest ad that accepts messages. */
export const ContactSeller = ({ profile }: { profile: Profile }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isOpen, setOpen] = useState(false);
  const ad = profile.ads.find((candidate) => candidate.isActive && candidate.allowMessages);
  if (!ad) return <p className="text-sm text-muted-foreground">Contact information not available</p>;
  return (
    <>
      <Button onClick={() => (user ? setOpen(true) : openSignIn())}>
        <MessageCircle aria-hidden="true" /> Contact Seller
      </Button>
      <ContactDialog ad={ad} open={isOpen} onOpenChange={setOpen} />
    </>
  );
};

import { MessageCircle, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Ad } from '../../../../../contract/ads.ts';
import type { User } from '../../../../../contract/user.ts';
import { useSession } from '../../../api/session.ts';
import { preload } from '../../../lib/chunks.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { XLogo } from '../../../ui/icons.tsx';
import { lazyOverlay } from '../../../ui/lazy-overlays.tsx';
import { LocalDate } from '../../../ui/local-date.tsx';
import { useOpenSignIn } from '../../auth/sign-in.tsx';
import { Price } from '../ad-card.tsx';
import { SellerBadges } from '../seller-badges.tsx';

export const SellerCard = ({ seller, isOwner }: { seller: User; isOwner: boolean }) => (
  <Card className="relative transition-colors hover:border-input">
    <h2 className="sr-only">Seller</h2>
    <div className="flex items-center gap-3">
      <Avatar src={seller.avatar} name={seller.displayName} className="size-12 text-lg" />
      <div className="min-w-0">
        <p className="flex items-center gap-1.5 font-semibold">
          {seller.username ? (
            <Link to={`/users/${seller.username}`} className="stretched-link truncate after:rounded-card">
              {seller.displayName}
            </Link>
          ) : (
            <span className="truncate">{seller.displayName}</span>
          )}
          <SellerBadges user={seller} />
        </p>
        {seller.username ? <p className="truncate text-sm text-muted-foreground">@{seller.username}</p> : null}
      </div>
    </div>
    {seller.xAccountCreated ? (
      <p className="mt-3 text-sm text-muted-foreground">
        X account created <LocalDate iso={seller.xAccountCreated} />
      </p>
    ) : null}
    {seller.username ? (
      <div className="mt-4 flex flex-wrap gap-2">
        {isOwner ? null : (
          <Button asChild variant="outline" size="sm" className="relative">
            <Link to={`/users/${seller.username}`}>View Seller's Profile</Link>
          </Button>
        )}
        <Button asChild variant="ghost" size="sm" className="relative">
          <a href={`https://x.com/${seller.username}`} target="_blank" rel="noopener">
            <XLogo className="size-3.5" />X profile
          </a>
        </Button>
      </div>
    ) : null}
  </Card>
);

const TIPS = [
  'Meet in a public place',
  'Inspect items before purchasing',
  "Don't share personal information",
  'Use secure payment methods',
  'Trust your instincts',
];

export const SafetyCard = () => (
  <Card className="bg-surface">
    <h2 className="flex items-center gap-2 font-semibold">
      <ShieldCheck aria-hidden="true" className="size-5 text-success" />
      Safety Tips
    </h2>
    <ul className="mt-3 grid list-disc gap-1.5 pl-5 text-sm text-muted-foreground">
      {TIPS.map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
    <Link to="/safety-tips" className="mt-3 inline-flex min-h-8 items-center text-sm text-link">
      More on staying safe
    </Link>
  </Card>
);

const loadDialog = () => import('../../messages/contact-dialog.tsx').then((module) => module.ContactDialog);
const ContactDialog = lazyOverlay(loadDialog);

export const ContactSeller = ({ ad }: { ad: Ad }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isOpen, setOpen] = useState(false);

  if (!ad.allowMessages) return <p className="text-muted-foreground">Contact information not available</p>;

  const handleContact = () => {
    if (!user) return openSignIn();
    setOpen(true);
  };
  const button = (className: string) => (
    <Button
      size="lg"
      className={className}
      onPointerEnter={preload(loadDialog)}
      onFocus={preload(loadDialog)}
      onClick={handleContact}
    >
      <MessageCircle aria-hidden="true" />
      Contact Seller
    </Button>
  );
  return (
    <>
      {button('w-full max-lg:hidden')}
      {isOpen ? null : (
        <div
          data-slot="bottom-bar"
          className="fixed inset-x-0 bottom-0 z-bottom-bar flex items-center gap-4 border-t border-border bg-background/95 px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] backdrop-blur-md lg:hidden print:hidden"
        >
          <Price price={ad.price} className="min-w-0 flex-1" />
          {button('')}
        </div>
      )}
      <ContactDialog ad={ad} open={isOpen} onOpenChange={setOpen} />
    </>
  );
};

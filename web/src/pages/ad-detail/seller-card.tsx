import { Link } from 'react-router-dom';
import type { User } from '../../../../contract/user.ts';
import { SellerBadges } from '../../features/seller/seller-badges.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LocalDate } from '../../ui/local-date.tsx';
import { XLogo } from '../../ui/x-logo.tsx';

/** Who sells it; the card leads to the profile. */
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

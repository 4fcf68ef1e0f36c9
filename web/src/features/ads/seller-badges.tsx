import { BadgeCheck, Star } from 'lucide-react';
import type { User } from '../../../../contract/user.ts';

export const SellerBadges = ({ user }: { user: Pick<User, 'isVerified' | 'isPremium'> }) => (
  <>
    {user.isVerified ? (
      <span className="inline-flex shrink-0" title="Verified account">
        <BadgeCheck aria-hidden="true" className="size-4.5 fill-verified text-card" />
        <span className="sr-only">Verified account</span>
      </span>
    ) : null}
    {user.isPremium ? (
      <span className="inline-flex shrink-0" title="Premium subscriber">
        <Star aria-hidden="true" className="size-4 fill-premium text-premium" />
        <span className="sr-only">Premium subscriber</span>
      </span>
    ) : null}
  </>
);

import { ExternalLink } from 'lucide-react';
import type { Me } from '../../../../contract/user.ts';
import type { UserStats } from '../../../../contract/users.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/card.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { AccountDataActions } from './account-data-actions.tsx';

interface ProfileDialogProps {
  me: Me;
  stats: UserStats | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const ProfileDialog = ({ me, stats, open, onOpenChange }: ProfileDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Edit Profile"
    description="Your profile is synced from X each time you sign in."
    className="sm:max-w-xl"
  >
    <Details
      rows={[
        ['Display name', <bdi key="name">{me.displayName}</bdi>],
        ['Username', me.username ? `@${me.username}` : 'None'],
        ['Email', me.email ?? 'Not shared by X'],
        ['Verification status', toVerification(me)],
      ]}
    />
    <section>
      <h3 className="mb-2 font-semibold">Account statistics</h3>
      <Details
        rows={[
          ['Member since', formatDate(me.joinDate)],
          ['Total ads', stats ? formatCount(stats.totalAds) : '…'],
          ['Items sold', stats ? formatCount(stats.soldAds) : '…'],
          ['Total views', stats ? formatCount(stats.totalViews) : '…'],
        ]}
      />
    </section>
    <Button asChild variant="outline" className="justify-self-start">
      <a href="https://x.com/settings/profile" target="_blank" rel="noopener">
        Edit on X <ExternalLink aria-hidden="true" />
      </a>
    </Button>
    <AccountDataActions />
  </Dialog>
);

const toVerification = ({ isVerified, isPremium }: Me): string => {
  const kinds = [isVerified ? 'Verified Account' : '', isPremium ? 'Premium Subscriber' : ''].filter(Boolean);
  return kinds.join(', ') || 'Standard Account';
};

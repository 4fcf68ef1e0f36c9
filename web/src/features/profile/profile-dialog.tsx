import { ExternalLink, SlidersHorizontal } from 'lucide-react';
import type { Me } from '../../../../contract/user.ts';
import type { UserStats } from '../../../../contract/users.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { LinkButton } from '../../ui/button.tsx';
import { TermList } from '../../ui/card.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { AccountDataActions } from './account-data.tsx';

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
    <TermList
      rows={[
        ['Display name', <bdi key="name">{me.displayName}</bdi>],
        ['Username', me.username ? `@${me.username}` : 'None'],
        ['Email', me.email ?? 'Not shared by X'],
        ['Verification status', toVerification(me)],
      ]}
    />
    <section>
      <h3 className="mb-2 font-semibold">Account statistics</h3>
      <TermList
        rows={[
          ['Member since', formatDate(me.joinDate)],
          ['Total ads', stats ? formatCount(stats.totalAds) : '…'],
          ['Items sold', stats ? formatCount(stats.soldAds) : '…'],
          ['Total views', stats ? formatCount(stats.totalViews) : '…'],
        ]}
      />
    </section>
    <div className="flex flex-wrap gap-2">
      <LinkButton to="https://x.com/settings/profile" target="_blank" rel="noopener" variant="outline">
        Edit on X <ExternalLink />
      </LinkButton>
      <LinkButton to="/preferences" variant="outline">
        <SlidersHorizontal /> Preferences
      </LinkButton>
    </div>
    <AccountDataActions />
  </Dialog>
);

const toVerification = ({ isVerified, isPremium }: Me): string => {
  const kinds = [isVerified ? 'Verified Account' : '', isPremium ? 'Premium Subscriber' : ''].filter(Boolean);
  return kinds.join(', ') || 'Standard Account';
};

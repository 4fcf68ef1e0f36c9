import { ExternalLink } from 'lucide-react';
import type { Me } from '../../../../contract/user.ts';
import type { UserStats } from '../../../../contract/users.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { AccountDataActions } from './account-data-actions.tsx';

interface ProfileDialogProps {
  me: Me;
  stats: UserStats | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** What is known of one; X is where it is changed. */
export const ProfileDialog = ({ me, stats, open, onOpenChange }: ProfileDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Edit Profile"
    description="Your profile is synced from X each time you sign in."
    className="sm:max-w-xl"
  >
    <dl className="grid gap-3">
      <Row term="Display name" value={<bdi>{me.displayName}</bdi>} />
      <Row term="Username" value={me.username ? `@${me.username}` : 'None'} />
      <Row term="Email" value={me.email ?? 'Not shared by X'} />
      <Row term="Verification status" value={<Verification me={me} />} />
    </dl>
    <section>
      <h3 className="mb-2 font-semibold">Account statistics</h3>
      <dl className="grid gap-3">
        <Row term="Member since" value={formatDate(me.joinDate)} />
        <Row term="Total ads" value={stats ? formatCount(stats.totalAds) : '…'} />
        <Row term="Items sold" value={stats ? formatCount(stats.soldAds) : '…'} />
        <Row term="Total views" value={stats ? formatCount(stats.totalViews) : '…'} />
      </dl>
    </section>
    <Button asChild variant="outline" className="justify-self-start">
      <a href="https://x.com/settings/profile" target="_blank" rel="noopener">
        Edit on X <ExternalLink aria-hidden="true" />
      </a>
    </Button>
    <AccountDataActions />
  </Dialog>
);

const Row = ({ term, value }: { term: string; value: React.ReactNode }) => (
  <div className="grid grid-cols-[9rem_1fr] gap-3 text-sm">
    <dt className="text-muted-foreground">{term}</dt>
    <dd className="min-w-0 break-words">{value}</dd>
  </div>
);

const Verification = ({ me }: { me: Me }) => {
  const kinds = [me.isVerified ? 'Verified Account' : '', me.isPremium ? 'Premium Subscriber' : ''].filter(Boolean);
  return kinds.length > 0 ? kinds.join(', ') : 'Standard Account';
};

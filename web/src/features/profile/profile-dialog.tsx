import { Download, ExternalLink, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Me } from '../../../../contract/user.ts';
import { deleteMe, exportMyData, type UserStats } from '../../../../contract/users.ts';
import { apiRequest } from '../../api/client.ts';
import { useReplaceSession } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { saveJson } from '../../lib/save-file.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { TermList } from '../../ui/card.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { BlockedPeople } from '../blocks/blocked-people.tsx';

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
    <LinkButton
      to="https://x.com/settings/profile"
      target="_blank"
      rel="noopener"
      variant="outline"
      className="justify-self-start"
    >
      Edit on X <ExternalLink />
    </LinkButton>
    <BlockedPeople onLeave={() => onOpenChange(false)} />
    <AccountDataActions />
  </Dialog>
);

const toVerification = ({ isVerified, isPremium }: Me): string => {
  const kinds = [isVerified ? 'Verified Account' : '', isPremium ? 'Premium Subscriber' : ''].filter(Boolean);
  return kinds.join(', ') || 'Standard Account';
};

export const AccountDataActions = ({ heading: Heading = 'h3' }: { heading?: 'h2' | 'h3' }) => {
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const replaceSession = useReplaceSession();
  const navigate = useNavigate();
  const toast = useToast();

  const handleExport = () =>
    run(
      async () => saveJson('my-data.json', await apiRequest(exportMyData)),
      'Failed to collect your data. Please try again.',
    );
  const handleDelete = () =>
    run(async () => {
      await apiRequest(deleteMe);
      await navigate('/');
      await replaceSession(null);
      toast({
        title: 'Account deleted',
        description: 'Your profile and ads have been removed. The files of your photos follow within two hours.',
      });
    }, 'Failed to delete your account. Please try again.');

  return (
    <section className="border-t border-border pt-4 text-start">
      <Heading className="mb-2 font-semibold">Your data</Heading>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => void handleExport()} busy={isBusy}>
          {isBusy ? <Spinner /> : <Download />} Download my data
        </Button>
        <Button variant="outline" className="text-destructive" onClick={() => setAsking(true)}>
          <Trash2 /> Delete my account
        </Button>
      </div>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete my account"
        text="Your profile, ads, photos, favorites and sessions are removed. Messages you sent stay with the people you wrote to, under “Deleted user”. This action cannot be undone."
        confirmLabel="Delete my account"
        onConfirm={() => void handleDelete()}
      />
    </section>
  );
};

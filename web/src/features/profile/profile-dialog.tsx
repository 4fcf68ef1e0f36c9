import { ExternalLink, SlidersHorizontal } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import type { Me } from '../../../../contract/user.ts';
import type { UserStats } from '../../../../contract/users.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { TermList } from '../../ui/term-list.tsx';
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
    title={t('ownProfile.edit')}
    description={t('ownProfile.synced')}
    className="sm:max-w-xl"
  >
    <TermList
      rows={[
        [t('ownProfile.displayName'), <bdi key="name">{me.displayName}</bdi>],
        [t('ownProfile.username'), me.username ? <bdi key="handle">@{me.username}</bdi> : t('ownProfile.none')],
        [t('ownProfile.email'), me.email ?? t('ownProfile.notShared')],
        [t('ownProfile.verification'), toVerification(me)],
      ]}
    />
    <section>
      <h3 className="mb-2 font-semibold">{t('ownProfile.statistics')}</h3>
      <TermList
        rows={[
          [t('ownProfile.memberSince'), formatDate(me.joinDate)],
          [t('ownProfile.totalAds'), stats ? formatCount(stats.totalAds) : '…'],
          [t('ownProfile.itemsSold'), stats ? formatCount(stats.soldAds) : '…'],
          [t('ownProfile.totalViews'), stats ? formatCount(stats.totalViews) : '…'],
        ]}
      />
    </section>
    <div className="flex flex-wrap gap-2">
      <LinkButton to="https://x.com/settings/profile" target="_blank" rel="noopener" variant="outline">
        {t('ownProfile.editOnX')} <ExternalLink />
      </LinkButton>
      <LinkButton to="/preferences" variant="outline">
        <SlidersHorizontal /> {t('shell.preferences')}
      </LinkButton>
    </div>
    <AccountDataActions />
  </Dialog>
);

const toVerification = ({ isVerified, isPremium }: Me): string => {
  if (isVerified) return t(isPremium ? 'ownProfile.verifiedPremium' : 'ownProfile.verified');
  return t(isPremium ? 'ownProfile.premium' : 'ownProfile.standard');
};

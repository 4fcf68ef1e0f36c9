import { Link } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import { toPriceText } from '../../../../contract/prices.ts';
import { useSession } from '../../api/session.ts';
import { Badge } from '../../ui/card.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { AdThumb } from '../ads/ad-card.tsx';
import { Conversation } from './conversation.tsx';

const EVERY_MS = 3000;

interface ContactDialogProps {
  ad: Ad;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const ContactDialog = ({ ad, open, onOpenChange }: ContactDialogProps) => {
  const { user } = useSession();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('messages.contactPerson', { name: ad.user.displayName })}
      className="sm:max-w-xl"
    >
      <div className="flex items-center gap-3 rounded-control bg-surface p-3">
        <AdThumb ad={ad} />
        <div className="min-w-0">
          <p dir="auto" className="truncate font-medium">
            {ad.title}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 font-semibold tabular-nums">
            {toPriceText(ad)}
            {ad.isReserved ? (
              <Badge variant="accent">{t(ad.reservedFor ? 'reservations.forYou' : 'reservations.reserved')}</Badge>
            ) : null}
          </p>
        </div>
      </div>
      {user ? <Conversation adId={ad.id} otherUserId={ad.userId} user={user} everyMs={EVERY_MS} /> : null}
      <Link
        to={`/messages/${ad.id}/${ad.userId}`}
        className="inline-flex min-h-8 w-fit shrink-0 items-center text-sm text-link"
      >
        {t('messages.openFull')}
      </Link>
    </Dialog>
  );
};

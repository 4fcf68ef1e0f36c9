import { Clock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import type { ConversationAction } from '../../../../contract/conversations.ts';
import { releaseAd, reserveAd } from '../../../../contract/deals.ts';
import { t } from '../../../../contract/i18n.ts';
import type { MessageAd } from '../../../../contract/messages.ts';
import { formatPrice } from '../../../../contract/money.ts';
import type { User } from '../../../../contract/user.ts';
import { useApiMutation, useInvalidateQueries } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { formatNearDate } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { LocalDate } from '../../ui/local-date.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

type Person = Pick<User, 'id' | 'displayName'>;

/** Ends a reservation after a question. */
const ReleaseButton = ({ adId, text }: { adId: string; text: string }) => {
  const release = useApiMutation(releaseAd);
  const invalidate = useInvalidateQueries();
  const toast = useToast();
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const handleConfirm = async () => {
    const isDone = await run(() => release({ params: { id: adId } }), t('reservations.releaseFailed'));
    if (isDone) toast({ title: t('reservations.released') });
    else await invalidate(...releaseAd.invalidates);
  };
  return (
    <>
      <Button variant="link" size="inline" className="min-h-6 text-sm" busy={isBusy} onClick={() => setAsking(true)}>
        {isBusy ? <Spinner /> : null}
        {t('reservations.release')}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('reservations.endQuestion')}
        text={text}
        confirmLabel={t('reservations.release')}
        onConfirm={() => void handleConfirm()}
      />
    </>
  );
};

const ReserveButton = ({ adId, person: { id, displayName } }: { adId: string; person: Person }) => {
  const reserve = useApiMutation(reserveAd);
  const release = useApiMutation(releaseAd);
  const invalidate = useInvalidateQueries();
  const toast = useToast();
  const { isBusy, run } = useAction();
  const params = { id: adId };
  const handleUndo = () => run(() => release({ params }), t('reservations.releaseFailed'));
  const handleReserve = async () => {
    const isDone = await run(async () => {
      const { reservedUntil } = await reserve({ params, body: { userId: id } });
      toast({
        title: t('reservations.reservedToast', { name: displayName }),
        description: reservedUntil && t('reservations.until', { date: formatNearDate(reservedUntil) }),
        action: { label: t('reservations.undo'), onClick: () => void handleUndo() },
      });
    }, t('reservations.reserveFailed'));
    if (!isDone) await invalidate(...reserveAd.invalidates);
  };
  return (
    <Button
      variant="link"
      size="inline"
      className="min-h-6 max-w-full text-sm"
      busy={isBusy}
      onClick={() => void handleReserve()}
    >
      {isBusy ? <Spinner /> : <Clock />}
      <span className="min-w-0 wrap-anywhere">
        <Rich text={t('reservations.reserveFor')} name={() => <bdi>{displayName}</bdi>} />
      </span>
    </Button>
  );
};

interface ReservedForProps {
  /** Undefined: the reader. */
  name: string | undefined;
  until: string | undefined;
}

const ReservedFor = ({ name, until }: ReservedForProps) => {
  const text = until
    ? t(name === undefined ? 'reservations.forYouUntil' : 'reservations.forPersonUntil')
    : t(name === undefined ? 'reservations.forYou' : 'reservations.forPerson');
  return (
    <Rich
      text={text}
      name={() => <bdi>{name}</bdi>}
      date={() => (until ? <LocalDate iso={until} format={formatNearDate} /> : null)}
    />
  );
};

interface ReservationLineProps {
  ad: MessageAd;
  other: Person;
  actions: readonly ConversationAction[];
  agreedPrice: string | null;
  /** The next step while it is reserved for one of the two. */
  children: ReactNode;
}

/** For whom the ad of a conversation is reserved, if for anyone, and what the reader may do about it. */
export const ReservationLine = ({ ad, other, actions, agreedPrice, children }: ReservationLineProps) => {
  const { id, reservation, reservedUntil } = ad;
  if (ad.isSold || ad.isDeleted || !(reservation || actions.includes('reserve'))) return null;
  const badge = (content: ReactNode) => (
    <Badge variant={reservation === 'elsewhere' ? 'strong' : 'accent'} className="min-w-0 whitespace-normal">
      <Clock />
      <span>{content}</span>
    </Badge>
  );
  const release = (question: string) =>
    actions.includes('release') ? <ReleaseButton adId={id} text={question} /> : null;
  /** What the two agreed on, or else for whom it is reserved. */
  const held = (name: string | undefined) =>
    agreedPrice && reservedUntil ? (
      <p className="text-sm font-medium">
        <Rich
          text={t('reservations.agreedUntil', { price: formatPrice(agreedPrice) })}
          date={() => <LocalDate iso={reservedUntil} format={formatNearDate} />}
        />
      </p>
    ) : (
      badge(<ReservedFor name={name} until={reservedUntil} />)
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {reservation === 'own' ? (
        <>
          {held(undefined)}
          {release(t('reservations.personText'))}
        </>
      ) : reservation === 'other' ? (
        <>
          {held(other.displayName)}
          {children}
          {release(t('reservations.ownerText', { name: other.displayName }))}
        </>
      ) : reservation === 'elsewhere' ? (
        <>
          {badge(t('reservations.reserved'))}
          {release(t('reservations.ownerTextOther'))}
        </>
      ) : (
        <ReserveButton adId={id} person={other} />
      )}
    </div>
  );
};

/** On the page of a reserved ad: for whom and until when, as far as the reader may know. */
export const ReservationNotice = ({ ad, isOwner }: { ad: Ad; isOwner: boolean }) => {
  const { id, reservedFor, reservedUntil } = ad;
  if (!reservedFor) return <p className="text-sm text-muted-foreground">{t('reservations.elsewhere')}</p>;
  const name = reservedFor.displayName;
  return (
    <div className="grid justify-items-start gap-1 rounded-card bg-accent p-4 text-sm text-accent-foreground">
      <p className="font-medium">
        <ReservedFor name={isOwner ? name : undefined} until={reservedUntil} />
      </p>
      <div className="flex flex-wrap gap-x-4">
        <Link
          to={`/messages/${id}/${isOwner ? reservedFor.id : ad.userId}`}
          className="inline-flex min-h-6 items-center text-link"
        >
          {t('reservations.viewConversation')}
        </Link>
        <ReleaseButton
          adId={id}
          text={isOwner ? t('reservations.ownerText', { name }) : t('reservations.personText')}
        />
      </div>
    </div>
  );
};

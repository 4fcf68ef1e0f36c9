import { Check, Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import type { Offer } from '../../../../contract/messages.ts';
import { useInvalidateQueries } from '../../api/query.ts';
import { Badge } from '../../ui/card.tsx';
import { toDateTime } from '../../ui/local-date.tsx';

const MINUTE_MS = 60_000;
const TICK_MS = MINUTE_MS / 2;

const formatTimeLeft = (ms: number): string => {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return t('messages.timeLess');
  return minutes < 60
    ? t('messages.minutesLeft', { count: minutes })
    : t('messages.hoursLeft', { count: Math.round(minutes / 60) });
};

/** How long an open offer lasts. Refetches the conversation at the end: the server decides what has expired. */
const TimeLeft = ({ until }: { until: string }) => {
  const [now, setNow] = useState(Date.now);
  const invalidate = useInvalidateQueries();
  useEffect(() => {
    const ticks = setInterval(() => setNow(Date.now()), TICK_MS);
    const end = setTimeout(() => void invalidate('conversation'), Math.max(0, Date.parse(until) - Date.now()) + 1000);
    return () => {
      clearInterval(ticks);
      clearTimeout(end);
    };
  }, [until, invalidate]);
  return (
    <Badge variant="accent">
      <Clock />
      <time dateTime={toDateTime(until)}>{formatTimeLeft(Date.parse(until) - now)}</time>
    </Badge>
  );
};

/** What became of an offer, or how long it lasts. */
export const OfferBadge = ({ offer: { status, expiresAt } }: { offer: Offer }) =>
  status === 'open' ? (
    <TimeLeft until={expiresAt} />
  ) : (
    <Badge variant={status === 'accepted' ? 'success' : 'neutral'}>
      {status === 'accepted' ? <Check /> : null}
      {t(`messages.offer_${status}`)}
    </Badge>
  );

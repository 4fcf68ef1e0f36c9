import { clsx as cn } from 'clsx';
import { Clock, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
import type { User } from '../../../contract/user.ts';
import { formatDate } from '../lib/format.ts';
import { XLogo } from './icons.tsx';

const HOUR = 60;
const DAY = 24 * HOUR;

/** How fast a person usually answers. Null if that speaks for nobody. */
const toAnswerTime = (minutes: number): string | null => {
  if (minutes <= HOUR) return t('ad.answerHour');
  if (minutes <= 23 * HOUR) return t('ad.answerHours', { count: Math.ceil(minutes / HOUR) });
  if (minutes <= DAY) return t('ad.answerDay');
  return minutes <= 7 * DAY ? t('ad.answerDays', { count: Math.ceil(minutes / DAY) }) : null;
};

interface SellerFactsProps {
  user: Pick<User, 'rating' | 'answerMinutes' | 'xAccountCreated'>;
  /** Where the ratings are, if the page has them. */
  toRatings?: string;
  className?: string;
}

/** What a person can be trusted by: their deals, how fast they answer, how long they are on X. */
export const SellerFacts = ({
  user: { rating, answerMinutes, xAccountCreated },
  toRatings,
  className,
}: SellerFactsProps) => {
  const deals = rating && t('ad.deals', { count: rating.deals, positive: rating.positive });
  const answerTime = answerMinutes === undefined ? null : toAnswerTime(answerMinutes);
  if (!(deals || answerTime || xAccountCreated)) return null;
  const created = xAccountCreated && t('ad.xAccountCreated', { date: formatDate(xAccountCreated, 'UTC') });
  return (
    <ul className={cn('flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground', className)}>
      {deals ? (
        <Fact icon={<ThumbsUp />}>
          {toRatings ? (
            <Link
              to={toRatings}
              className="inline-flex min-h-6 items-center font-medium text-foreground hover:underline"
            >
              {deals}
            </Link>
          ) : (
            <span className="font-medium text-foreground">{deals}</span>
          )}
        </Fact>
      ) : null}
      {answerTime ? <Fact icon={<Clock />}>{answerTime}</Fact> : null}
      {created ? (
        <Fact icon={<XLogo />}>
          <span title={created}>{t('ad.onXSince', { year: xAccountCreated.slice(0, 4) })}</span>
          <span className="sr-only">, {created}</span>
        </Fact>
      ) : null}
    </ul>
  );
};

const Fact = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className="flex items-center gap-1.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
    {icon}
    <span>{children}</span>
  </li>
);

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { type TextKey, t } from '../../../../contract/i18n.ts';
import { REPORT_REASONS } from '../../../../contract/report-reasons.ts';
import type { Decision } from '../../../../contract/reports.ts';
import { useSession } from '../../api/session.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { Rich } from '../../ui/rich.tsx';
import { TermList } from '../../ui/term-list.tsx';
import { AppealForm } from './appeal-form.tsx';

const isPast = (iso: string): boolean => Date.parse(iso) < Date.now();

interface DecisionProps {
  decision: Decision;
  userId: string;
  /** Of the link of a banned person, who has no session. */
  token?: string | undefined;
}

/** The statement of reasons of one decision, with its appeal. */
export const DecisionCard = ({ decision, userId, token }: DecisionProps) => {
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const { ref } = focusFallback;
  const { hash } = useLocation();
  const id = `decision-${decision.id}`;
  const isNamed = hash === `#${id}`;
  // The browser cannot scroll to a card that loads after the page.
  useEffect(() => {
    if (!isNamed) return;
    ref.current?.scrollIntoView();
    ref.current?.focus({ preventScroll: true });
  }, [isNamed, ref]);
  return (
    <Card {...focusFallback} id={id} tabIndex={-1} className="grid scroll-mt-24 gap-4">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-2">
        <h2 className="min-w-0 flex-1 basis-56 card-heading wrap-anywhere">
          <Heading decision={decision} />
        </h2>
        <State decision={decision} />
      </header>
      <TermList
        rows={[
          [t('decisions.decided'), formatDateTime(decision.createdAt)],
          [t('decisions.reason'), REPORT_REASONS[decision.reason]],
          [t('decisions.decidedBy'), t(decision.isAutomatic ? 'decisions.automatic' : 'decisions.moderator')],
          [t('decisions.until'), decision.until ? formatDateTime(decision.until) : null],
          [t('decisions.means'), t(toMeaning(decision))],
          [
            t('decisions.note'),
            decision.note ? (
              <span key="note" dir="auto" className="whitespace-pre-line">
                {decision.note}
              </span>
            ) : null,
          ],
        ]}
      />
      <Appeal decision={decision} userId={userId} token={token} />
    </Card>
  );
};

const toMeaning = ({ action, targetType }: Decision) => {
  if (action !== 'remove') return MEANINGS[action];
  return targetType === 'rating' ? 'decisions.meaning_rating' : 'decisions.meaning_remove';
};

const MEANINGS = {
  hold: 'decisions.meaning_hold',
  warn: 'decisions.meaning_warn',
  suspend: 'decisions.meaning_suspend',
  ban: 'decisions.meaning_ban',
} as const satisfies Record<Exclude<Decision['action'], 'remove'>, TextKey>;

const toHeading = ({ action, title, targetType }: Decision): TextKey => {
  const isRating = targetType === 'rating';
  if (action === 'hold') return 'decisions.onHold';
  if (action === 'remove') return isRating ? 'decisions.removedRating' : 'decisions.removedAd';
  if (action === 'suspend') return 'decisions.suspended';
  if (action === 'ban') return 'decisions.banned';
  if (isRating && title) return 'decisions.warnedRating';
  return targetType === 'ad' && title ? 'decisions.warnedAd' : 'decisions.warned';
};

const Heading = ({ decision }: { decision: Decision }) => {
  const { user } = useSession();
  const { title, url, days, targetType } = decision;
  const name = <bdi>{title}</bdi>;
  // A suspended owner cannot open their hidden ads.
  const isLinked = url && targetType !== 'rating' && !user?.suspendedUntil;
  const ad = () =>
    isLinked ? (
      <Link to={url} className="prose-link">
        {name}
      </Link>
    ) : (
      name
    );
  return <Rich text={t(toHeading(decision), { count: days ?? 0 })} ad={ad} />;
};

const State = ({ decision: { action, reversedAt, appeal, until, canAppeal } }: { decision: Decision }) => {
  if (reversedAt)
    return (
      <Badge variant="success">{t(action === 'hold' ? 'decisions.state_approved' : 'decisions.state_reversed')}</Badge>
    );
  if (appeal?.status === 'open') return <Badge variant="accent">{t('decisions.state_open')}</Badge>;
  if (until && isPast(until)) return <Badge>{t('decisions.state_ended')}</Badge>;
  if (appeal?.status === 'upheld') return <Badge variant="strong">{t('decisions.state_upheld')}</Badge>;
  return (until || canAppeal) && action !== 'warn' ? (
    <Badge variant="warning">{t('decisions.state_inEffect')}</Badge>
  ) : null;
};

const APPEALED = {
  open: 'decisions.appealedOpen',
  reversed: 'decisions.appealedReversed',
  upheld: 'decisions.appealedUpheld',
} as const;

const Appeal = ({ decision, userId, token }: DecisionProps) => {
  const [isWriting, setWriting] = useState(false);
  const openRef = useRef<HTMLButtonElement>(null);
  const wasWritingRef = useRef(false);
  // The form had the focus.
  useEffect(() => {
    if (wasWritingRef.current && !isWriting) openRef.current?.focus();
    wasWritingRef.current = isWriting;
  }, [isWriting]);
  const { appeal, appealUntil, reversedAt, action } = decision;
  if (appeal)
    return (
      <Footer>
        <p className="text-sm">{t(APPEALED[appeal.status], { date: formatDate(appeal.createdAt) })}</p>
        <p dir="auto" className="rounded-control bg-muted p-3 text-sm break-words whitespace-pre-line">
          {appeal.text}
        </p>
        {appeal.note ? (
          <>
            <p className="text-sm">{t('decisions.appealNote')}</p>
            <p dir="auto" className="rounded-control bg-muted p-3 text-sm break-words whitespace-pre-line">
              {appeal.note}
            </p>
          </>
        ) : null}
      </Footer>
    );
  if (reversedAt)
    return (
      <Footer>
        <p className="text-sm">
          {t(action === 'hold' ? 'decisions.approvedOn' : 'decisions.reversedOn', { date: formatDate(reversedAt) })}
        </p>
      </Footer>
    );
  if (!decision.canAppeal)
    return (
      <Footer>
        <p className="text-sm text-muted-foreground">
          {appealUntil && isPast(appealUntil)
            ? t('decisions.timeEnded', { date: formatDate(appealUntil) })
            : t('decisions.noEffect')}
        </p>
      </Footer>
    );
  return (
    <Footer>
      {isWriting ? (
        <AppealForm decision={decision} userId={userId} token={token} onClose={() => setWriting(false)} />
      ) : (
        <>
          <p className="text-sm text-muted-foreground">
            {appealUntil ? t('decisions.canAppealUntil', { date: formatDate(appealUntil) }) : t('decisions.canAppeal')}
          </p>
          <Button ref={openRef} variant="outline" className="justify-self-start" onClick={() => setWriting(true)}>
            {t('decisions.appeal')}
          </Button>
        </>
      )}
    </Footer>
  );
};

const Footer = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-3 border-t border-border pt-4">{children}</div>
);

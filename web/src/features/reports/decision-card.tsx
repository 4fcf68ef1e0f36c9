import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { pluralize } from '../../../../contract/plural.ts';
import { REPORT_REASONS } from '../../../../contract/report-reasons.ts';
import type { Decision } from '../../../../contract/reports.ts';
import { useSession } from '../../api/session.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { formatDate, formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card, TermList } from '../../ui/card.tsx';
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
          ['Decided', formatDateTime(decision.createdAt)],
          ['Reason', REPORT_REASONS[decision.reason]],
          ['Decided by', decision.isAutomatic ? 'Automatic: several people reported it' : 'A moderator'],
          ['Until', decision.until ? formatDateTime(decision.until) : null],
          ['What this means', toMeaning(decision)],
          [
            'Note',
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

const toMeaning = ({ action, targetType }: Decision): string => {
  if (action !== 'remove') return MEANINGS[action];
  return targetType === 'rating'
    ? 'The rating is hidden from everyone else, and it no longer counts.'
    : 'The ad is hidden from everyone else.';
};

const MEANINGS: Record<Exclude<Decision['action'], 'remove'>, string> = {
  hold: 'The ad is hidden until a moderator has reviewed it.',
  warn: 'Nothing is taken from you. Further violations may lead to a suspension.',
  suspend: 'Until it ends, you can read decisions, appeal, export your data and log out.',
  ban: 'You can no longer use this account.',
};

const Heading = ({ decision: { action, title, url, days, targetType } }: { decision: Decision }) => {
  const { user } = useSession();
  const name = <bdi>{title}</bdi>;
  // A suspended owner cannot open their hidden ads.
  const ad =
    url && !user?.suspendedUntil ? (
      <Link to={url} className="prose-link">
        {name}
      </Link>
    ) : (
      name
    );
  if (action === 'hold') return <>Your ad “{ad}” is on hold</>;
  if (action === 'remove' && targetType === 'rating') return <>We removed your rating of the deal “{name}”</>;
  if (action === 'remove') return <>We removed your ad “{ad}”</>;
  if (action === 'suspend') return <>We suspended your account for {pluralize(days ?? 0, 'day')}</>;
  if (action === 'ban') return <>We banned your account</>;
  if (targetType === 'rating' && title) return <>We warned you because of your rating of the deal “{name}”</>;
  return targetType === 'ad' && title ? <>We warned you because of your ad “{ad}”</> : <>We warned you</>;
};

const State = ({ decision: { action, reversedAt, appeal, until, canAppeal } }: { decision: Decision }) => {
  if (reversedAt) return <Badge variant="success">{action === 'hold' ? 'Approved' : 'Reversed'}</Badge>;
  if (appeal?.status === 'open') return <Badge variant="accent">Appeal under review</Badge>;
  if (until && isPast(until)) return <Badge>Ended</Badge>;
  if (appeal?.status === 'upheld') return <Badge variant="strong">Confirmed</Badge>;
  return (until || canAppeal) && action !== 'warn' ? <Badge variant="warning">In effect</Badge> : null;
};

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
        <p className="text-sm">
          You appealed on {formatDate(appeal.createdAt)}.{' '}
          {appeal.status === 'open'
            ? 'A moderator reviews your appeal. You are notified of the result.'
            : appeal.status === 'reversed'
              ? 'Your appeal was accepted: the decision is reversed, and what it took is restored.'
              : 'Your appeal was reviewed, and the decision remains. It is final.'}
        </p>
        <p dir="auto" className="rounded-control bg-muted p-3 text-sm break-words whitespace-pre-line">
          {appeal.text}
        </p>
        {appeal.note ? (
          <>
            <p className="text-sm">The person who decided your appeal wrote:</p>
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
          {action === 'hold' ? 'A moderator approved the ad' : 'The decision was reversed'} on {formatDate(reversedAt)}.
        </p>
      </Footer>
    );
  if (!decision.canAppeal)
    return (
      <Footer>
        <p className="text-sm text-muted-foreground">
          {appealUntil && isPast(appealUntil)
            ? `The time for an appeal ended on ${formatDate(appealUntil)}.`
            : 'This decision is no longer in effect.'}
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
            You can appeal once{appealUntil ? `, until ${formatDate(appealUntil)}` : null}. Another person than the one
            who decided reviews it where possible.
          </p>
          <Button ref={openRef} variant="outline" className="justify-self-start" onClick={() => setWriting(true)}>
            Appeal this decision
          </Button>
        </>
      )}
    </Footer>
  );
};

const Footer = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-3 border-t border-border pt-4">{children}</div>
);

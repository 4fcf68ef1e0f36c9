import { ArrowLeft, ChevronLeft, ChevronRight, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../../contract/i18n.ts';
import { REPORT_REASONS } from '../../../../../contract/report-reasons.ts';
import { type Case, getCase } from '../../../../../contract/reports.ts';
import type { Me } from '../../../../../contract/user.ts';
import { hasStatus } from '../../../api/client.ts';
import { useApiQuery, useInvalidateQueries } from '../../../api/query.ts';
import { formatDate } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Badge } from '../../../ui/card.tsx';
import { EmptyState, SkeletonRegion } from '../../../ui/feedback.tsx';
import { Handle } from '../../../ui/handle.tsx';
import { TimeAgo } from '../../../ui/local-date.tsx';
import { Query } from '../../../ui/query.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { TermList } from '../../../ui/term-list.tsx';
import { CaseTargetView, Part } from './case-target.tsx';
import { type AnyDecision, TARGETS, toActionText, toDeciderText, toReportsText } from './case-texts.ts';
import { DecisionForm } from './decision-form.tsx';

interface CasePanelProps {
  id: string;
  me: Me;
  /** Whether the heading takes the focus once the case is loaded. */
  takesFocus: boolean;
  /** The place in the queue, such as "3 of 12". */
  position: string | undefined;
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
  onBack: () => void;
  onDecided: () => void;
}

export const CasePanel = (props: CasePanelProps) => {
  const { id, position, onNext, onPrevious, onBack } = props;
  const query = useApiQuery(getCase, { params: { id } });
  const invalidate = useInvalidateQueries();
  return (
    <section aria-label={t('moderation.case')} className="grid min-w-0 content-start gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="ghost" className="-ms-3 lg:hidden" onClick={onBack}>
          <ArrowLeft /> {t('moderation.allCases')}
        </Button>
        <span className="grow" />
        {position ? <span className="text-sm text-muted-foreground tabular-nums">{position}</span> : null}
        <Button
          variant="outline"
          size="icon"
          aria-label={t('moderation.previousCase')}
          busy={!onPrevious}
          onClick={onPrevious}
        >
          <ChevronLeft className="size-5" />
        </Button>
        <Button variant="outline" size="icon" aria-label={t('moderation.nextCase')} busy={!onNext} onClick={onNext}>
          <ChevronRight className="size-5" />
        </Button>
      </div>
      <Query
        of={query}
        failure={t('moderation.caseFailed')}
        refusal={(error) =>
          hasStatus(error, 404) ? (
            <EmptyState icon={Search} title={t('moderation.caseNotFound')} text={t('moderation.caseNotFoundText')}>
              <Button variant="outline" onClick={onBack}>
                {t('moderation.allCases')}
              </Button>
            </EmptyState>
          ) : undefined
        }
        loading={<SkeletonRegion className="grid gap-4" boxes={['h-9 w-2/3', 'h-56', 'h-32']} />}
      >
        {(data) => <CaseView {...props} data={data} onConflict={() => void invalidate('cases')} />}
      </Query>
    </section>
  );
};

interface CaseViewProps extends CasePanelProps {
  data: Case;
  onConflict: () => void;
}

const CaseView = ({ data, me, takesFocus, onDecided, onConflict }: CaseViewProps) => {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const [isLate, setLate] = useState(false);
  const isTaken = isLate && data.status === 'decided';
  useEffect(() => {
    if (takesFocus || isTaken) headingRef.current?.focus();
  }, [takesFocus, isTaken]);
  const isAppeal = data.targetType === 'decision';

  return (
    <>
      <header className="grid gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <Badge variant={isAppeal ? 'accent' : 'strong'}>{TARGETS[data.targetType]}</Badge>
          {isAppeal ? null : <span className="text-sm text-muted-foreground tabular-nums">{toReportsText(data)}</span>}
          <span className="text-sm text-muted-foreground">
            <Rich text={t('moderation.opened')} time={() => <TimeAgo iso={data.openedAt} />} />
          </span>
        </div>
        <h2 ref={headingRef} tabIndex={-1} className="scroll-mt-24 section-heading wrap-anywhere">
          <bdi>{data.title}</bdi>
        </h2>
        <Person data={data} />
      </header>
      {isTaken && data.decision ? (
        <p role="alert" className="rounded-card bg-warning-soft p-4 text-warning">
          <FirstDecider name={toDeciderText(data.decision)} />
        </p>
      ) : null}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-6">
          {data.appeal ? <Appeal appeal={data.appeal} /> : null}
          <CaseTargetView data={data} />
          {isAppeal ? null : <Reports reports={data.reports} />}
        </div>
        <div className="rounded-card border border-border bg-card p-4 xl:sticky xl:top-20">
          {data.decision ? (
            <Decided decision={data.decision} target={data.targetType} />
          ) : data.actions.length > 0 ? (
            <DecisionForm
              data={data}
              me={me}
              onDecided={onDecided}
              onConflict={() => {
                setLate(true);
                onConflict();
              }}
            />
          ) : (
            <p className="text-sm text-muted-foreground">
              {isAppeal ? t('moderation.anotherDecides') : t('moderation.cannotDecide')}
            </p>
          )}
        </div>
      </div>
    </>
  );
};

const FirstDecider = ({ name }: { name: string }) => (
  <Rich text={t('moderation.decidedFirst')} name={() => <bdi>{name}</bdi>} />
);

const Person = ({ data: { person, history } }: { data: Case }) => (
  <div className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
    <p>
      <span className="text-muted-foreground">{t('moderation.personConcerned')} </span>
      <PersonLink person={person} />
    </p>
    <p className="text-muted-foreground">
      {[
        t('moderation.adsRemoved', { count: history.adsRemoved }),
        t('moderation.warnings', { count: history.warnings }),
        t('moderation.suspensions', { count: history.suspensions }),
        t('moderation.countOpenCases', { count: history.openCases }),
      ].join(' · ')}
    </p>
  </div>
);

const PersonLink = ({ person }: { person: Case['person'] }) =>
  person.username ? (
    <Link to={`/users/${person.username}`} className="prose-link wrap-anywhere">
      <bdi>
        {person.displayName} <Handle name={person.username} />
      </bdi>
    </Link>
  ) : (
    <bdi>{person.displayName}</bdi>
  );

const Appeal = ({ appeal }: { appeal: NonNullable<Case['appeal']> }) => (
  <>
    <Part title={t('moderation.appeal')}>
      <p className="text-sm text-muted-foreground">
        <Rich text={t('moderation.written')} time={() => <TimeAgo iso={appeal.createdAt} />} />
      </p>
      <p dir="auto" className="rounded-card bg-muted p-4 break-words whitespace-pre-line">
        {appeal.text}
      </p>
    </Part>
    <Part title={t('moderation.contested')}>
      <DecisionDetails decision={appeal.contested} target={appeal.contested.targetType} />
    </Part>
  </>
);

const DecisionDetails = ({ decision, target }: { decision: AnyDecision; target: Case['targetType'] }) => (
  <TermList
    rows={[
      [t('moderation.decision'), toActionText(decision, target)],
      [t('moderation.reason'), REPORT_REASONS[decision.reason]],
      [
        t('moderation.note'),
        decision.note ? (
          <span key="note" dir="auto" className="whitespace-pre-line">
            {decision.note}
          </span>
        ) : null,
      ],
      [t('moderation.byWhom'), <bdi key="by">{toDeciderText(decision)}</bdi>],
      [t('moderation.decidedOn'), formatDate(decision.createdAt)],
    ]}
  />
);

const Decided = ({ decision, target }: { decision: NonNullable<Case['decision']>; target: Case['targetType'] }) => (
  <div className="grid gap-4">
    <h3 className="card-heading">{t('moderation.decided')}</h3>
    <DecisionDetails decision={decision} target={target} />
  </div>
);

const Reports = ({ reports }: { reports: Case['reports'] }) => (
  <Part title={t('moderation.reports', { count: reports.length })}>
    <ul className="grid gap-3">
      {reports.map((report) => (
        <li key={report.id} className="grid gap-1 rounded-control border border-border p-3 text-sm">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{REPORT_REASONS[report.reason]}</span>
            <span className="text-muted-foreground tabular-nums">
              {t('moderation.weight', { weight: report.weight })}
            </span>
            <TimeAgo iso={report.createdAt} className="ms-auto text-xs text-muted-foreground" />
          </p>
          <p>
            <Rich text={t('moderation.by')} name={() => <PersonLink person={report.reporter} />} />
          </p>
          {report.details ? (
            <p dir="auto" className="break-words whitespace-pre-line">
              {report.details}
            </p>
          ) : null}
        </li>
      ))}
    </ul>
  </Part>
);

import { clsx as cn } from 'clsx';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../../contract/i18n.ts';
import { REPORT_REASONS } from '../../../../../contract/report-reasons.ts';
import { type CaseSummary, countOpenCases, type listCases } from '../../../../../contract/reports.ts';
import { useApiQuery, type useInfiniteApiQuery } from '../../../api/query.ts';
import { Badge } from '../../../ui/card.tsx';
import { EmptyState, SkeletonRegion } from '../../../ui/feedback.tsx';
import { LoadMoreButton } from '../../../ui/load-more-button.tsx';
import { TimeAgo } from '../../../ui/local-date.tsx';
import { Query, toBusyProps } from '../../../ui/query.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { TARGETS, toActionText, toDeciderText, toReportsText } from './case-texts.ts';

export type QueueStatus = 'open' | 'decided';

interface CaseQueueProps {
  list: ReturnType<typeof useInfiniteApiQuery<typeof listCases>>;
  status: QueueStatus;
  selectedId: string | undefined;
  toHref: (id: string) => string;
  onStatus: (status: QueueStatus) => void;
  onOpen: () => void;
}

export const CaseQueue = ({ list, status, selectedId, toHref, onStatus, onOpen }: CaseQueueProps) => {
  const boxRef = useRef<HTMLDivElement>(null);
  // Scrolls the box alone: scrollIntoView would also scroll the page.
  useEffect(() => {
    const box = boxRef.current;
    const item = selectedId === undefined ? null : box?.querySelector<HTMLElement>('li:has([aria-current])');
    if (!box || !item) return;
    const bottom = item.offsetTop + item.offsetHeight;
    if (item.offsetTop < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = item.offsetTop;
  }, [selectedId]);
  return (
    <>
      <StatusSwitch status={status} onChange={onStatus} />
      <div ref={boxRef} {...toBusyProps(list, 'relative mt-3 lg:max-h-[calc(100dvh-12rem)] lg:overflow-y-auto')}>
        <Query
          of={list}
          failure={t('moderation.casesFailed')}
          loading={<SkeletonRegion className="grid gap-2" boxes={Array(4).fill('h-24')} />}
          empty={<NoCases status={status} />}
        >
          {(cases) => (
            <ul className="grid gap-2 p-0.5">
              {cases.map((item) => (
                <QueueItem
                  key={item.id}
                  item={item}
                  href={toHref(item.id)}
                  isSelected={item.id === selectedId}
                  onOpen={onOpen}
                />
              ))}
            </ul>
          )}
        </Query>
        <LoadMoreButton list={list} />
      </div>
    </>
  );
};

const StatusSwitch = ({ status, onChange }: { status: QueueStatus; onChange: (status: QueueStatus) => void }) => {
  const open = useApiQuery(countOpenCases, {}).data?.open;
  const options: [QueueStatus, string][] = [
    ['open', open === undefined ? t('moderation.open') : t('moderation.openCount', { count: open })],
    ['decided', t('moderation.decidedCases')],
  ];
  return (
    <fieldset className="grid grid-cols-2 gap-1 rounded-control bg-muted p-1">
      <legend className="sr-only">{t('moderation.showCases')}</legend>
      {options.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={status === value}
          onClick={() => onChange(value)}
          className="min-h-9 rounded-lg text-sm font-medium aria-pressed:bg-card aria-pressed:shadow-raised max-lg:min-h-11"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
};

const NoCases = ({ status }: { status: QueueStatus }) =>
  status === 'open' ? (
    <EmptyState icon={CircleCheck} title={t('moderation.noOpen')} text={t('moderation.noOpenText')} />
  ) : (
    <EmptyState icon={CircleCheck} title={t('moderation.noDecided')} text={t('moderation.noDecidedText')} />
  );

interface QueueItemProps {
  item: CaseSummary;
  href: string;
  isSelected: boolean;
  onOpen: () => void;
}

const QueueItem = ({ item, href, isSelected, onOpen }: QueueItemProps) => {
  const { decision, person, reasons, targetType, title } = item;
  // The title of a case about a person is their name.
  const who = title === person.displayName ? person.username && `@${person.username}` : person.displayName;
  return (
    <li
      className={cn(
        'relative rounded-control border p-3 text-sm hover:bg-muted',
        isSelected ? 'border-primary bg-accent hover:bg-accent' : 'border-border bg-card',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted-foreground">
        <Badge variant={targetType === 'decision' ? 'accent' : 'strong'}>{TARGETS[targetType]}</Badge>
        {targetType === 'decision' ? null : <span className="tabular-nums">{toReportsText(item)}</span>}
      </div>
      <Link
        to={href}
        preventScrollReset
        onClick={onOpen}
        aria-current={isSelected || undefined}
        className="stretched-link mt-1.5 block font-medium wrap-anywhere after:rounded-control"
      >
        <bdi className="line-clamp-2 w-fit">{title}</bdi>
      </Link>
      <p className="flex items-baseline justify-between gap-2 text-muted-foreground">
        <bdi className="truncate">{who}</bdi>
        <TimeAgo iso={decision?.createdAt ?? item.openedAt} className="shrink-0 text-xs" />
      </p>
      {decision ? (
        <p className="mt-1 text-xs wrap-anywhere">
          <Rich
            text={t('moderation.decidedBy', { decision: toActionText(decision, targetType) })}
            name={() => <bdi>{toDeciderText(decision)}</bdi>}
          />
        </p>
      ) : reasons.length > 0 ? (
        <p className="mt-1 text-xs">{reasons.map((reason) => REPORT_REASONS[reason]).join(' · ')}</p>
      ) : null}
    </li>
  );
};

import { Inbox } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { t } from '../../../../../contract/i18n.ts';
import { getCase, listCases } from '../../../../../contract/reports.ts';
import type { Me } from '../../../../../contract/user.ts';
import { usePoll } from '../../../api/events.ts';
import { useApiQuery, useInfiniteApiQuery, useInvalidateQueries } from '../../../api/query.ts';
import { formatTotal } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/feedback.tsx';
import { CasePanel } from './case-panel.tsx';
import { CaseQueue, type QueueStatus } from './case-queue.tsx';
import { getArrows, ShortcutLegend, useShortcutSwitch, useShortcuts } from './shortcuts.tsx';

/** Other moderators decide cases and reports arrive while the tab is open. */
const EVERY_MS = 30_000;
/** The next page is loaded when so few cases are left after the open one. */
const NEAR_END = 2;

export const ReportsTab = ({ me }: { me: Me }) => {
  const [params, setParams] = useSearchParams();
  const caseId = params.get('case') ?? undefined;
  const status: QueueStatus = params.get('status') === 'decided' ? 'decided' : 'open';
  const list = useInfiniteApiQuery(listCases, { query: { status } }, { keepPreviousData: true });
  const invalidate = useInvalidateQueries();
  usePoll(() => invalidate('cases'), EVERY_MS);
  // The focus follows to a case that the moderator opens, not to the case of the address that the page loads with.
  const [hasMoved, setMoved] = useState(false);

  const queueRef = useRef<HTMLElement>(null);
  useEffect(() => {
    if (hasMoved && caseId === undefined) queueRef.current?.focus();
  }, [hasMoved, caseId]);

  const [hasKeys] = useShortcutSwitch();
  const cases = list.data ?? [];
  const index = cases.findIndex(({ id }) => id === caseId);
  const nextId = cases[index + 1]?.id;
  const previousId = index > 0 ? cases[index - 1]?.id : undefined;
  // Loads the next case before it is opened.
  useApiQuery(getCase, nextId === undefined ? null : { params: { id: nextId } });

  const toParams = (next: { case?: string | undefined; status?: QueueStatus }) => ({
    tab: 'reports',
    ...((next.status ?? status) === 'decided' ? { status: 'decided' } : {}),
    ...(next.case === undefined ? {} : { case: next.case }),
  });
  const show = (id: string | undefined) => {
    setMoved(true);
    setParams(toParams({ case: id }), { preventScrollReset: true });
  };
  const goNext = () => {
    if (nextId !== undefined) show(nextId);
    if (list.hasMore && cases.length - index <= NEAR_END + 1) list.loadMore().catch(() => {});
  };
  const goPrevious = () => {
    if (previousId !== undefined) show(previousId);
  };
  const { next, previous } = getArrows();
  useShortcuts({ j: goNext, [next[0]]: goNext, k: goPrevious, [previous[0]]: goPrevious });

  return (
    <div className="grid gap-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <section
        ref={queueRef}
        aria-label={t('moderation.cases')}
        tabIndex={-1}
        className={caseId === undefined ? undefined : 'max-lg:hidden'}
      >
        <CaseQueue
          list={list}
          status={status}
          selectedId={caseId}
          toHref={(id) => `?${new URLSearchParams(toParams({ case: id }))}`}
          onStatus={(next) => setParams(toParams({ status: next }), { preventScrollReset: true })}
          onOpen={() => setMoved(true)}
        />
        <ShortcutLegend />
      </section>
      {caseId === undefined ? (
        <EmptyState
          icon={Inbox}
          title={list.data?.length === 0 ? t('moderation.noCase') : t('moderation.chooseCase')}
          text={hasKeys && cases.length > 0 ? t('moderation.pressKey', { key: 'j' }) : undefined}
          className="rounded-card border border-border max-lg:hidden"
        />
      ) : (
        <CasePanel
          key={caseId}
          id={caseId}
          me={me}
          takesFocus={hasMoved}
          position={
            index >= 0
              ? t('moderation.position', { index: index + 1, all: formatTotal(cases.length, !list.hasMore) })
              : undefined
          }
          onNext={nextId === undefined ? undefined : goNext}
          onPrevious={previousId === undefined ? undefined : goPrevious}
          onBack={() => show(undefined)}
          onDecided={() => show(nextId ?? previousId)}
        />
      )}
    </div>
  );
};

import { CircleCheck, CirclePause, Play, RotateCcw, Trash2, X } from 'lucide-react';
import { createContext, type ReactNode, use, useState } from 'react';
import type { Ad } from '../../../../../contract/ads.ts';
import { t } from '../../../../../contract/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { askToDelete, MOST, type Outcome, type OwnAction, useOwnActions } from './own-actions.ts';

/** Which of these ads are selected. */
const useSelection = (ads: readonly Ad[]) => {
  const [ids, setIds] = useState<readonly string[]>([]);
  return {
    ads,
    selected: ads.filter(({ id }) => ids.includes(id)),
    isSelected: ({ id }: Ad): boolean => ids.includes(id),
    toggle: ({ id }: Ad) => setIds(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]),
    selectAll: () => setIds(ads.slice(0, MOST).map(({ id }) => id)),
    clear: () => setIds([]),
  };
};

const SelectionContext = createContext<ReturnType<typeof useSelection> | null>(null);

const useSelected = () => {
  const selection = use(SelectionContext);
  if (!selection) throw new Error('nothing can be selected here');
  return selection;
};

/** A tick renders the boxes and the actions, and not the table between them. */
export const SelectsAds = ({ ads, children }: { ads: readonly Ad[]; children: ReactNode }) => (
  <SelectionContext value={useSelection(ads)}>{children}</SelectionContext>
);

export const SelectBox = ({ ad }: { ad: Ad }) => {
  const { isSelected, toggle } = useSelected();
  return (
    <label className="-m-3 flex size-11 shrink-0 items-center justify-center">
      <input
        type="checkbox"
        aria-label={t('dashboard.select', { title: ad.title })}
        className="size-5 accent-primary"
        checked={isSelected(ad)}
        onChange={() => toggle(ad)}
      />
    </label>
  );
};

const isPaused = ({ state }: Ad): boolean => state === 'paused';

/** Each with the ads that it is for. What another one refuses, the server says. */
const ACTIONS = [
  ['sell', CircleCheck, 'dashboard.markSold', () => true],
  ['renew', RotateCcw, 'dashboard.renew', () => true],
  ['pause', CirclePause, 'dashboard.pause', (ad: Ad) => !isPaused(ad)],
  ['resume', Play, 'dashboard.resume', isPaused],
  ['delete', Trash2, 'dashboard.delete', () => true],
] as const;

/** What is done with several ads at once, while some are selected; then what became of each. */
export const BulkActions = () => {
  const act = useOwnActions();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const { selected, ads, selectAll, clear } = useSelected();

  const handle = async (action: OwnAction, its: Ad[]) => {
    if (action === 'delete' && !askToDelete(its.length)) return;
    setBusy(true);
    setOutcome(await act.all(action, its));
    setBusy(false);
    clear();
  };

  if (selected.length === 0)
    return (
      <div role="status" className="grid gap-1 text-sm not-empty:mb-3">
        {outcome ? <p>{outcome.summary}</p> : null}
        {outcome?.failures.map((failure) => (
          <p key={failure} className="wrap-anywhere text-destructive">
            {failure}
          </p>
        ))}
      </div>
    );
  return (
    <fieldset
      disabled={isBusy}
      // below the lg breakpoint over the end of the list: above it, three rows of buttons would push the next box from under the finger
      className="fixed inset-x-3 bottom-[calc(var(--bottom-bar)+0.75rem)] z-1 mb-3 flex flex-wrap items-center gap-2 rounded-control border border-border bg-card p-2 shadow-raised lg:sticky lg:top-20"
    >
      <legend className="sr-only">{t('dashboard.selectedAds')}</legend>
      <span role="status" className="px-1 text-sm font-medium">
        {isBusy ? t('dashboard.working') : t('dashboard.selected', { count: selected.length })}
      </span>
      {selected.length < Math.min(ads.length, MOST) ? (
        <Button variant="ghost" size="sm" onClick={selectAll}>
          {t('dashboard.selectAll')}
        </Button>
      ) : null}
      {ACTIONS.map(([action, Icon, label, isFor]) => {
        const its = selected.filter(isFor);
        return its.length === 0 ? null : (
          <Button
            key={action}
            variant="outline"
            size="sm"
            disabled={selected.length > MOST}
            onClick={() => void handle(action, its)}
          >
            <Icon /> {t(label)}
          </Button>
        );
      })}
      <Button variant="ghost" size="sm" className="ms-auto" onClick={clear}>
        <X /> {t('shell.cancel')}
      </Button>
      {selected.length > MOST ? <p className="w-full px-1 text-sm">{t('dashboard.atMost', { count: MOST })}</p> : null}
    </fieldset>
  );
};

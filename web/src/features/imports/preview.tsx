import { useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import {
  deleteImport,
  type ImportDetails,
  ROW_KINDS,
  type RowKind,
  startImport,
} from '../../../../contract/imports.ts';
import { useApiMutation } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { CheckField } from '../../ui/form-controls.tsx';
import { KINDS } from './labels.ts';
import { MistakesButton, Rows } from './rows.tsx';

interface KindChoiceProps {
  counts: ImportDetails['counts'];
  kind: RowKind;
  onChange: (kind: RowKind) => void;
}

/** How many rows there are of each kind; one kind is shown. */
const KindChoice = ({ counts, kind, onChange }: KindChoiceProps) => (
  <fieldset>
    <legend className="sr-only">{t('imports.kinds')}</legend>
    <div className="grid grid-cols-2 gap-1 rounded-control bg-muted p-1 sm:grid-cols-4">
      {ROW_KINDS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={kind === one}
          onClick={() => onChange(one)}
          className="min-h-11 rounded-lg px-2 py-1 text-sm wrap-anywhere aria-pressed:bg-card aria-pressed:shadow-raised"
        >
          {KINDS[one]} <span className="font-semibold">{formatCount(counts[one])}</span>
        </button>
      ))}
    </div>
  </fieldset>
);

interface PreviewProps {
  of: ImportDetails;
  /** Whether the file is still chosen, so that it can be read otherwise. */
  hasFile: boolean;
  onDiscard: () => void;
}

/** What the file would do, the ways to do it, and the button that does. */
export const Preview = ({ of, hasFile, onDiscard }: PreviewProps) => {
  const { id, counts, fileName } = of;
  const [chosen, setKind] = useState<RowKind>();
  const discard = useApiMutation(deleteImport);
  const { isBusy, run } = useAction();
  const handleDiscard = async () => {
    if (await run(() => discard({ params: { id } }), t('imports.discardFailed'))) onDiscard();
  };
  const kind = chosen ?? (counts.wrong > 0 ? 'wrong' : (ROW_KINDS.find((one) => counts[one] > 0) ?? 'new'));
  return (
    <Card className="grid gap-5">
      <h2 className="card-heading wrap-anywhere">{t('imports.preview', { file: fileName })}</h2>
      <KindChoice counts={counts} kind={kind} onChange={setKind} />
      <Rows of={of} kind={kind} />
      {hasFile ? null : <p className="text-sm text-muted-foreground">{t('imports.readAgainHint')}</p>}
      <StartForm of={of} />
      <div className="flex flex-wrap gap-3">
        <MistakesButton of={of} />
        <Button variant="ghost" busy={isBusy} onClick={() => void handleDiscard()}>
          {t('imports.discard')}
        </Button>
      </div>
    </Card>
  );
};

const StartForm = ({ of: { id, counts, missing } }: { of: ImportDetails }) => {
  const start = useApiMutation(startImport);
  const { isBusy, run } = useAction();
  const [body, setBody] = useState({ allOrNothing: false, asDrafts: false, pauseMissing: false });
  const change = (name: keyof typeof body) => ({
    checked: body[name],
    onChange: () => setBody({ ...body, [name]: !body[name] }),
  });
  const count = counts.new + counts.changed;
  if (count + missing === 0) return <p>{t('imports.nothingToImport')}</p>;
  const isStopped = body.allOrNothing && counts.wrong > 0;
  const isIdle = count === 0 && !body.pauseMissing;
  return (
    <div className="grid gap-3 border-t border-border pt-4">
      <fieldset>
        <legend className="sr-only">{t('imports.options')}</legend>
        <CheckField {...change('allOrNothing')}>{t('imports.allOrNothing')}</CheckField>
        {counts.new > 0 ? <CheckField {...change('asDrafts')}>{t('imports.asDrafts')}</CheckField> : null}
        {missing > 0 ? (
          <CheckField {...change('pauseMissing')}>{t('imports.pauseMissing', { ads: missing })}</CheckField>
        ) : null}
      </fieldset>
      {isStopped ? <p className="text-sm text-destructive">{t('imports.wrongStops')}</p> : null}
      <Button
        className="w-fit"
        busy={isBusy}
        disabled={isStopped || isIdle}
        onClick={() => void run(() => start({ params: { id }, body }), t('imports.startFailed'))}
      >
        {isBusy ? <Spinner /> : null} {t('imports.start', { count })}
      </Button>
    </div>
  );
};

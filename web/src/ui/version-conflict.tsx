import { t } from '../../../contract/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './lazy-overlays.tsx';

type Rows = readonly (readonly [field: string, text: string])[];

export const hasSameText = (one: Rows, other: Rows): boolean =>
  one.every(([, text], index) => text === other[index]?.[1]);

interface ConflictDialogProps {
  mine: Rows;
  saved: Rows | undefined;
  /** Says what was changed elsewhere. */
  title: string;
  onKeepMine: () => void;
  onTakeSaved: () => void;
  onClose: () => void;
}

export const ConflictDialog = ({ mine, saved, title, onKeepMine, onTakeSaved, onClose }: ConflictDialogProps) => (
  <Dialog
    open={saved !== undefined}
    onOpenChange={onClose}
    title={title}
    description={t('forms.conflictText')}
    className="sm:max-w-2xl"
  >
    <dl className="grid gap-4 text-sm">
      {saved?.map(([field, text], index) =>
        mine[index]?.[1] === text ? null : (
          <div key={field} className="grid gap-1">
            <dt className="font-medium">{field}</dt>
            <dd className="grid gap-2 sm:grid-cols-2">
              <Version label={t('forms.yours')} text={mine[index]?.[1] ?? ''} />
              <Version label={t('forms.saved')} text={text} />
            </dd>
          </div>
        ),
      )}
    </dl>
    <div className="dialog-footer">
      <Button variant="outline" onClick={onTakeSaved}>
        {t('forms.useSaved')}
      </Button>
      <Button onClick={onKeepMine}>{t('forms.saveMine')}</Button>
    </div>
  </Dialog>
);

const Version = ({ label, text }: { label: string; text: string }) => (
  <div className="max-h-40 overflow-y-auto rounded-control bg-muted p-3">
    <p className="text-xs text-muted-foreground">{label}</p>
    <p dir="auto" className="break-words whitespace-pre-line">
      {text || '—'}
    </p>
  </div>
);

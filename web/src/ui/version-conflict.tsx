import { ApiError } from '../api/client.ts';
import { Button } from './button.tsx';
import { Dialog } from './lazy-overlays.tsx';

interface Versioned {
  version?: string | undefined;
}

/** The server refused a change because the record was changed elsewhere since it was read. */
export class VersionConflict<Saved extends Versioned> extends Error {
  readonly saved: Saved;
  constructor(saved: Saved) {
    super('The record was changed elsewhere');
    this.saved = saved;
  }
}

interface VersionedChange<Saved, Sent> {
  version: string | undefined;
  put: (version: string | undefined) => Promise<Sent>;
  reread: () => Promise<Saved>;
  /** Whether the saved record equals the change or the version that the change is based on. */
  isHarmless: (saved: Saved) => boolean;
}

/**
 * Sends a change of a versioned record. If the server refuses it with 409, reads the record again: a harmless
 * difference is overwritten, any other is thrown as a VersionConflict.
 */
export const sendVersioned = async <Saved extends Versioned, Sent>({
  version,
  put,
  reread,
  isHarmless,
}: VersionedChange<Saved, Sent>): Promise<Sent> => {
  try {
    return await put(version);
  } catch (error) {
    if (!(error instanceof ApiError && error.reply?.code === 'conflict')) throw error;
  }
  const saved = await reread();
  if (!isHarmless(saved)) throw new VersionConflict(saved);
  return put(saved.version);
};

type Rows = readonly (readonly [field: string, text: string])[];

export const hasSameText = (one: Rows, other: Rows): boolean =>
  one.every(([, text], index) => text === other[index]?.[1]);

interface ConflictDialogProps {
  mine: Rows;
  saved: Rows | undefined;
  /** The subject of the sentence with its verb: "This ad was". */
  subject: string;
  onKeepMine: () => void;
  onTakeSaved: () => void;
  onClose: () => void;
}

export const ConflictDialog = ({ mine, saved, subject, onKeepMine, onTakeSaved, onClose }: ConflictDialogProps) => (
  <Dialog
    open={saved !== undefined}
    onOpenChange={onClose}
    title={`${subject} changed elsewhere`}
    description="Since you opened this form, another tab or device has saved other values. Choose which to keep."
    className="sm:max-w-2xl"
  >
    <dl className="grid gap-4 text-sm">
      {saved?.map(([field, text], index) =>
        mine[index]?.[1] === text ? null : (
          <div key={field} className="grid gap-1">
            <dt className="font-medium">{field}</dt>
            <dd className="grid gap-2 sm:grid-cols-2">
              <Version label="Yours" text={mine[index]?.[1] ?? ''} />
              <Version label="Saved" text={text} />
            </dd>
          </div>
        ),
      )}
    </dl>
    <div className="dialog-footer">
      <Button variant="outline" onClick={onTakeSaved}>
        Use the saved version
      </Button>
      <Button onClick={onKeepMine}>Save my version</Button>
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

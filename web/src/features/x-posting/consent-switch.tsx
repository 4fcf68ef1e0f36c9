import { Switch } from 'radix-ui';
import { type ReactNode, useId, useState } from 'react';
import { formatDate } from '../../lib/format-time.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PostPreview } from './post-preview.tsx';

interface ConsentSwitchProps {
  label: string;
  hint: ReactNode;
  /** When the person agreed. */
  since: string | null;
  sample: string;
  username: string;
  isBusy: boolean;
  onChange: (isOn: boolean) => void;
}

/** Agrees to a kind of post after its text has been seen, and shows since when; off is one click. */
export const ConsentSwitch = ({ label, hint, since, sample, username, isBusy, onChange }: ConsentSwitchProps) => {
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  const agree = () => {
    setAsking(false);
    onChange(true);
  };
  const handleChange = (isOn: boolean) => {
    if (isBusy) return;
    if (isOn) setAsking(true);
    else onChange(false);
  };
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="grid gap-0.5">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-sm text-muted-foreground">
          {since ? <>You agreed on {formatDate(since)}. </> : null}
          {hint}
        </p>
      </div>
      <Switch.Root
        id={id}
        checked={since !== null}
        // Not disabled, which would take the focus from it for good.
        aria-disabled={isBusy || undefined}
        aria-describedby={`${id}-hint`}
        onCheckedChange={handleChange}
        className="relative mt-0.5 inline-flex h-7 w-12 shrink-0 items-center rounded-full border border-input bg-muted px-0.5 transition-colors duration-150 aria-disabled:opacity-55 data-[state=checked]:border-primary data-[state=checked]:bg-primary"
      >
        <Switch.Thumb className="size-5.5 rounded-full bg-muted-foreground shadow-raised data-[state=checked]:bg-card transition-transform duration-150 data-[state=checked]:translate-x-5" />
      </Switch.Root>
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`${label}?`}
        description={`Posts like this one appear publicly on X as @${username}. You can turn this off at any time.`}
      >
        <PostPreview text={sample} label="For example" />
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="outline" onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button onClick={agree}>I agree</Button>
        </div>
      </Dialog>
    </div>
  );
};

import { Switch } from 'radix-ui';
import { type ReactNode, useId, useState } from 'react';
import type { Me } from '../../../../contract/user.ts';
import { disconnectX, setXPosting, type XPosting } from '../../../../contract/x-posting.ts';
import { apiRequest } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDate } from '../../lib/format.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Handle } from '../../ui/handle.tsx';
import { XLogo } from '../../ui/icons.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { PostPreview } from './post-to-x-field.tsx';
import { connectUrl, useXPosting } from './use-x-posting.ts';

export const XPostingCard = ({ me }: { me: Me }) => {
  const { data, mutate } = useXPosting();
  const { isBusy, run } = useAction();
  if (data?.mode !== 'api' || !me.username) return null;

  const change = (write: () => Promise<XPosting>) =>
    run(async () => mutate(await write(), { revalidate: false }), 'Nothing was changed. Please try again.');

  return (
    <Card className="grid gap-4" data-slot="x-posting">
      <h2 className="flex items-center gap-2 card-heading">
        <XLogo className="size-5" /> Posts to X
      </h2>
      {data.status === 'ok' ? (
        <Switches
          posting={data}
          username={me.username}
          isBusy={isBusy}
          onChange={(body) => void change(() => apiRequest(setXPosting, { body }))}
        />
      ) : (
        <Connect status={data.status} username={me.username} />
      )}
      {data.status === 'none' ? null : (
        <Disconnect isBusy={isBusy} onConfirm={() => void change(() => apiRequest(disconnectX))} />
      )}
    </Card>
  );
};

interface SwitchesProps {
  posting: XPosting;
  username: string;
  isBusy: boolean;
  onChange: (body: { ads?: boolean; favorites?: boolean }) => void;
}

const Switches = ({ posting, username, isBusy, onChange }: SwitchesProps) => (
  <div className="grid gap-4">
    <ConsentSwitch
      label="Post my ads to X"
      hint="Each ad is posted only if you tick the box in its form."
      since={posting.adsSince}
      sample={posting.samples.ad}
      username={username}
      isBusy={isBusy}
      onChange={(ads) => onChange({ ads })}
    />
    <ConsentSwitch
      label="Post my favorites to X"
      hint="Every ad you save is posted once, at most ten a day."
      since={posting.favoritesSince}
      sample={posting.samples.favorite}
      username={username}
      isBusy={isBusy}
      onChange={(favorites) => onChange({ favorites })}
    />
  </div>
);

const TEXTS = {
  none: 'You can let us post your new ads, or ads you save, to your X account. Nothing is posted unless you ask for it.',
  reauth: 'The connection to your X account has ended, so nothing is posted. Connect it again to go on.',
  suspended: 'X has suspended your account, so nothing is posted. Once that is settled, connect it again.',
};

const Connect = ({ status, username }: { status: keyof typeof TEXTS; username: string }) => (
  <>
    <p className="text-muted-foreground">{TEXTS[status]}</p>
    <LinkButton reloadDocument to={connectUrl('/preferences')} variant="outline" className="w-fit">
      Connect <Handle name={username} /> for posting
    </LinkButton>
  </>
);

const Disconnect = ({ isBusy, onConfirm }: { isBusy: boolean; onConfirm: () => void }) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="border-t border-border pt-4">
      <Button variant="outline" size="sm" busy={isBusy} onClick={() => setAsking(true)}>
        Disconnect from X
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Disconnect from X"
        text="We give our access back to X and delete it here. Posts that wait are not sent; posts already on X stay there. You stay signed in."
        confirmLabel="Disconnect"
        onConfirm={onConfirm}
      />
    </div>
  );
};

interface ConsentSwitchProps {
  label: string;
  hint: ReactNode;
  since: string | null;
  sample: string;
  username: string;
  isBusy: boolean;
  onChange: (isOn: boolean) => void;
}

/** Turning a kind of post on asks for consent and shows a sample. Turning it off takes one click. */
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
        // A disabled switch loses the focus.
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
        <div className="dialog-footer">
          <Button variant="outline" onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button onClick={agree}>I agree</Button>
        </div>
      </Dialog>
    </div>
  );
};

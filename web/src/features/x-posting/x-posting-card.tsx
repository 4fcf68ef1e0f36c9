import { useState } from 'react';
import type { Me } from '../../../../contract/user.ts';
import { disconnectX, setXPosting, type XPosting } from '../../../../contract/x-posting.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { XLogo } from '../../ui/x-logo.tsx';
import { ConsentSwitch } from './consent-switch.tsx';
import { connectUrl, useXPosting } from './use-x-posting.ts';

/** The dashboard's word on posting to X: connect, agree, take back. Nothing where the site does not post itself. */
export const XPostingCard = ({ me }: { me: Me }) => {
  const { data, mutate } = useXPosting();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  if (data?.mode !== 'api' || !me.username) return null;

  const change = async (write: () => Promise<XPosting>) => {
    setBusy(true);
    try {
      await mutate(await write(), { revalidate: false });
    } catch (error) {
      const description = messageOf(error, 'Nothing was changed. Please try again.');
      toast({ title: 'Error', description, variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Card className="grid gap-4" data-slot="x-posting">
      <h2 className="flex items-center gap-2 text-lg font-semibold">
        <XLogo className="size-5" /> Posts to X
      </h2>
      {data.status === 'ok' ? (
        <Switches
          posting={data}
          username={me.username}
          isBusy={isBusy}
          onChange={(body) => void change(() => call(setXPosting, { body }))}
        />
      ) : (
        <Connect status={data.status} username={me.username} />
      )}
      {data.status === 'none' ? null : (
        <Disconnect isBusy={isBusy} onConfirm={() => void change(() => call(disconnectX))} />
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
    <Button asChild variant="outline" className="w-fit">
      <a href={connectUrl('/dashboard')}>Connect @{username} for posting</a>
    </Button>
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

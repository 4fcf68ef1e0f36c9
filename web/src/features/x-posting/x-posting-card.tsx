import { Switch } from 'radix-ui';
import { useId, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
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
import { Rich } from '../../ui/rich.tsx';
import { PostPreview } from './post-to-x-field.tsx';
import { connectUrl, useXPosting } from './use-x-posting.ts';

export const XPostingCard = ({ me }: { me: Me }) => {
  const { data, mutate } = useXPosting();
  const { isBusy, run } = useAction();
  if (data?.mode !== 'api' || !me.username) return null;

  const change = (write: () => Promise<XPosting>) =>
    run(async () => mutate(await write(), { revalidate: false }), t('xPosting.unchanged'));

  return (
    <Card className="grid gap-4" data-slot="x-posting">
      <h2 className="flex items-center gap-2 card-heading">
        <XLogo className="size-5" /> {t('xPosting.title')}
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
      label={t('xPosting.ads')}
      question={t('xPosting.adsQuestion')}
      hint={t('xPosting.adsHint')}
      since={posting.adsSince}
      sample={posting.samples.ad}
      username={username}
      isBusy={isBusy}
      onChange={(ads) => onChange({ ads })}
    />
    <ConsentSwitch
      label={t('xPosting.favorites')}
      question={t('xPosting.favoritesQuestion')}
      hint={t('xPosting.favoritesHint')}
      since={posting.favoritesSince}
      sample={posting.samples.favorite}
      username={username}
      isBusy={isBusy}
      onChange={(favorites) => onChange({ favorites })}
    />
  </div>
);

const TEXTS = {
  none: 'xPosting.status_none',
  reauth: 'xPosting.status_reauth',
  suspended: 'xPosting.status_suspended',
} as const;

const Connect = ({ status, username }: { status: keyof typeof TEXTS; username: string }) => (
  <>
    <p className="text-muted-foreground">{t(TEXTS[status])}</p>
    <LinkButton reloadDocument to={connectUrl('/preferences')} variant="outline" className="w-fit">
      {/* one box: the parts of a button have a gap between them */}
      <span>
        <Rich text={t('xPosting.connect')} handle={() => <Handle name={username} />} />
      </span>
    </LinkButton>
  </>
);

const Disconnect = ({ isBusy, onConfirm }: { isBusy: boolean; onConfirm: () => void }) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="border-t border-border pt-4">
      <Button variant="outline" size="sm" busy={isBusy} onClick={() => setAsking(true)}>
        {t('xPosting.disconnectX')}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('xPosting.disconnectX')}
        text={t('xPosting.disconnectText')}
        confirmLabel={t('xPosting.disconnect')}
        onConfirm={onConfirm}
      />
    </div>
  );
};

interface ConsentSwitchProps {
  label: string;
  question: string;
  hint: string;
  since: string | null;
  sample: string;
  username: string;
  isBusy: boolean;
  onChange: (isOn: boolean) => void;
}

/** Turning a kind of post on asks for consent and shows a sample. Turning it off takes one click. */
export const ConsentSwitch = ({
  label,
  question,
  hint,
  since,
  sample,
  username,
  isBusy,
  onChange,
}: ConsentSwitchProps) => {
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
          {since ? `${t('xPosting.agreed', { date: formatDate(since) })} ` : null}
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
        title={question}
        description={t('xPosting.sampleText', { username })}
      >
        <PostPreview text={sample} label={t('xPosting.sample')} />
        <div className="dialog-footer">
          <Button variant="outline" onClick={() => setAsking(false)}>
            {t('shell.cancel')}
          </Button>
          <Button onClick={agree}>{t('xPosting.agree')}</Button>
        </div>
      </Dialog>
    </div>
  );
};

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import {
  changeWebhookSecret,
  deleteWebhook,
  EVENT_WORDS,
  listWebhooks,
  testWebhook,
  updateWebhook,
  WEBHOOK_FORMATS,
  type Webhook,
  type WebhookOwner,
  type WebhookTest,
} from '../../../../contract/webhooks.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { useSectionLink } from '../../hooks/use-section-link.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { EmptyLine } from '../../ui/list-section.tsx';
import { TimeAgo } from '../../ui/local-date.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { NewSecret } from './new-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

const TEXTS: Record<WebhookOwner, string> = {
  me: 'A webhook tells a program of yours what happens to your ads, offers, messages and saved searches, with a signed request to an address of yours.',
  site: "A webhook tells a program of the marketplace what happens to everybody's ads, and of reports and bans. All administrators see these.",
};

/** The webhooks of the person, or of the marketplace, with everything that one can do about them. */
export const Webhooks = ({ of }: { of: WebhookOwner }) => {
  const list = useApiQuery(listWebhooks, { query: { of } });
  const focusFallback = useFocusFallback<HTMLElement>();
  const headingRef = useSectionLink('webhooks', list.data !== undefined);
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby="webhooks" className="card grid gap-3">
      <h2 ref={headingRef} id="webhooks" tabIndex={-1} className="w-fit scroll-mt-24 card-heading">
        Webhooks
      </h2>
      <p className="text-sm text-muted-foreground">{TEXTS[of]}</p>
      <Query
        of={list}
        failure="Failed to load the webhooks"
        size="line"
        loading={<SkeletonRegion boxes={['h-12']} />}
        empty={<EmptyLine>No webhooks yet.</EmptyLine>}
      >
        {(webhooks) => (
          <ul className="divide-y divide-border">
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        )}
      </Query>
      {list.data && list.data.length < LIMITS.webhooks ? <AddButton of={of} /> : null}
    </section>
  );
};

const AddButton = ({ of }: { of: WebhookOwner }) => {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const handleAdded = (added: string) => {
    setOpen(false);
    setSecret(added);
  };
  return (
    <>
      <Button variant="outline" className="w-fit" onClick={() => setOpen(true)}>
        <Plus /> Add a webhook
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Add a webhook" className="sm:max-w-lg">
        <WebhookForm of={of} onAdded={handleAdded} onClose={() => setOpen(false)} />
      </Dialog>
      <NewSecret secret={secret} onDone={() => setSecret(undefined)} />
    </>
  );
};

const OFF_TEXTS = {
  owner: 'Switched off.',
  gone: 'Switched off: the receiver answered that it is gone.',
  failing: `Switched off: nothing was delivered for ${LIMITS.webhookFailingDays} days.`,
} as const;

const StateLine = ({ webhook: { isOn, offReason, failingSince } }: { webhook: Webhook }) => {
  if (!isOn) return <p className="text-muted-foreground">{OFF_TEXTS[offReason ?? 'owner']}</p>;
  if (failingSince === null) return null;
  return (
    <p className="text-warning">
      Failing, for the first time <TimeAgo iso={failingSince} />. We keep trying.
    </p>
  );
};

const StateBadge = ({ webhook: { isOn, failingSince } }: { webhook: Webhook }) => {
  if (!isOn) return <Badge>Off</Badge>;
  return failingSince === null ? <Badge variant="success">On</Badge> : <Badge variant="warning">Failing</Badge>;
};

const describeTest = ({ isDelivered, responseStatus, error, durationMs }: WebhookTest): string =>
  isDelivered ? `Delivered: it responded ${responseStatus} in ${durationMs} ms.` : `Not delivered: ${error}.`;

type Question = 'log' | 'secret' | 'remove';

const WebhookRow = ({ webhook }: { webhook: Webhook }) => {
  const { id, url, events, format, isOn } = webhook;
  const toast = useToast();
  const [send, change, renew, remove] = [
    useApiMutation(testWebhook),
    useApiMutation(updateWebhook),
    useApiMutation(changeWebhookSecret),
    useApiMutation(deleteWebhook),
  ];
  const { isBusyWith, run } = useAction();
  const [open, setOpen] = useState<Question>();
  const [secret, setSecret] = useState<string>();
  const [result, setResult] = useState<WebhookTest>();
  const target = { params: { id } };
  const { host } = new URL(url);
  const handleOpenChange = () => setOpen(undefined);
  const act = (what: string, action: () => Promise<unknown>, failure: string) =>
    run(action, `${failure} Please try again.`, undefined, what);
  const handleTest = () =>
    act(
      'test',
      async () => {
        setResult(undefined);
        setResult(await send(target));
      },
      'The test could not be sent.',
    );
  const handleSwitch = () =>
    act('switch', () => change({ ...target, body: { isOn: !isOn } }), 'The webhook was not changed.');
  const handleSecret = () => act('secret', async () => setSecret((await renew(target)).secret), 'No secret was made.');
  const handleRemove = async () => {
    if (await act('remove', () => remove(target), 'The webhook could not be removed.'))
      toast({ title: 'Webhook removed' });
  };
  const button = (what: string, label: string, onClick: () => void) => (
    <Button variant="outline" size="sm" busy={isBusyWith(what)} aria-label={`${label}: ${host}`} onClick={onClick}>
      {isBusyWith(what) ? <Spinner /> : null} {label}
    </Button>
  );
  return (
    <li className="grid gap-2 py-3">
      <div className="grid gap-1 text-sm">
        <div className="flex flex-wrap items-center gap-2">
          <p className="min-w-0 font-medium wrap-anywhere">{url}</p>
          <StateBadge webhook={webhook} />
        </div>
        <p className="text-muted-foreground">
          {WEBHOOK_FORMATS[format]} · {events.map((event) => EVENT_WORDS[event].label).join(' · ')}
        </p>
        <StateLine webhook={webhook} />
        <p role="status" className={result?.isDelivered ? 'text-success' : 'text-destructive'}>
          {result ? describeTest(result) : null}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {button('test', 'Send a test', () => void handleTest())}
        {button('log', 'Deliveries', () => setOpen('log'))}
        {button('switch', isOn ? 'Switch off' : 'Switch on', () => void handleSwitch())}
        {format === 'standard' ? button('secret', 'New secret', () => setOpen('secret')) : null}
        {button('remove', 'Remove', () => setOpen('remove'))}
      </div>
      <Dialog
        open={open === 'log'}
        onOpenChange={handleOpenChange}
        title="Deliveries"
        description={`What was sent to ${host} in the last ${LIMITS.webhookDays} days`}
        className="sm:max-w-2xl"
      >
        <DeliveryLog webhook={webhook} />
      </Dialog>
      <AlertDialog
        open={open === 'secret'}
        onOpenChange={handleOpenChange}
        title="Make a new secret?"
        text={`For ${LIMITS.webhookSecretHours} hours the present secret signs as well. Put the new one into your program until then.`}
        confirmLabel="Make a new secret"
        confirmVariant="primary"
        onConfirm={() => void handleSecret()}
      />
      <AlertDialog
        open={open === 'remove'}
        onOpenChange={handleOpenChange}
        title="Remove this webhook?"
        text={`Nothing more is sent to ${host}, and the log of its deliveries is gone. This action cannot be undone.`}
        confirmLabel="Remove"
        onConfirm={() => void handleRemove()}
      />
      <NewSecret secret={secret} onDone={() => setSecret(undefined)} />
    </li>
  );
};

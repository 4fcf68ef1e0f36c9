import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type TextKey, t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { EVENT_WORDS, WEBHOOK_FORMATS } from '../../../../contract/webhook-words.ts';
import {
  changeWebhookSecret,
  deleteWebhook,
  listWebhooks,
  testWebhook,
  updateWebhook,
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
import { Rich } from '../../ui/rich.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { NewSecret } from './new-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

const INTROS = { me: 'webhooks.intro_me', site: 'webhooks.intro_site' } as const satisfies Record<
  WebhookOwner,
  TextKey
>;

/** The webhooks of the person, or of the marketplace, with everything that one can do about them. */
export const Webhooks = ({ of }: { of: WebhookOwner }) => {
  const list = useApiQuery(listWebhooks, { query: { of } });
  const focusFallback = useFocusFallback<HTMLElement>();
  const headingRef = useSectionLink('webhooks', list.data !== undefined);
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby="webhooks" className="card grid gap-3">
      <h2 ref={headingRef} id="webhooks" tabIndex={-1} className="w-fit scroll-mt-24 card-heading">
        {t('webhooks.title')}
      </h2>
      <p className="text-sm text-muted-foreground">{t(INTROS[of])}</p>
      <Query
        of={list}
        failure={t('webhooks.loadFailed')}
        size="line"
        loading={<SkeletonRegion boxes={['h-12']} />}
        empty={<EmptyLine>{t('webhooks.none')}</EmptyLine>}
      >
        {(webhooks) => (
          <ul className="divide-y divide-border">
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} of={of} webhook={webhook} />
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
  const handleAdded = (added?: string) => {
    setOpen(false);
    setSecret(added);
  };
  return (
    <>
      <Button variant="outline" className="w-fit" onClick={() => setOpen(true)}>
        <Plus /> {t('webhooks.add')}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={t('webhooks.add')} className="sm:max-w-lg">
        <WebhookForm of={of} onDone={handleAdded} onClose={() => setOpen(false)} />
      </Dialog>
      <NewSecret secret={secret} onDone={() => setSecret(undefined)} />
    </>
  );
};

const OFF_TEXTS = {
  owner: 'webhooks.off_owner',
  gone: 'webhooks.off_gone',
  failing: 'webhooks.off_failing',
} as const;

const StateLine = ({ webhook: { isOn, offReason, failingSince } }: { webhook: Webhook }) => {
  if (!isOn)
    return (
      <p className="text-muted-foreground">
        {t(OFF_TEXTS[offReason ?? 'owner'], { count: LIMITS.webhookFailingDays })}
      </p>
    );
  if (failingSince === null) return null;
  return (
    <p className="text-warning">
      <Rich text={t('webhooks.failingSince')} time={() => <TimeAgo iso={failingSince} />} />
    </p>
  );
};

const StateBadge = ({ webhook: { isOn, failingSince } }: { webhook: Webhook }) => {
  if (!isOn) return <Badge>{t('webhooks.badge_off')}</Badge>;
  return failingSince === null ? (
    <Badge variant="success">{t('webhooks.badge_on')}</Badge>
  ) : (
    <Badge variant="warning">{t('webhooks.badge_failing')}</Badge>
  );
};

const describeTest = ({ isDelivered, responseStatus, error, durationMs }: WebhookTest): string =>
  isDelivered
    ? t('webhooks.delivered', { status: String(responseStatus), ms: durationMs })
    : t('webhooks.notDelivered', { error: error ?? '' });

type Question = 'change' | 'log' | 'secret' | 'remove';

const WebhookRow = ({ of, webhook }: { of: WebhookOwner; webhook: Webhook }) => {
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
  const act = (what: string, action: () => Promise<unknown>, failure: string) => run(action, failure, undefined, what);
  const handleTest = () =>
    act(
      'test',
      async () => {
        setResult(undefined);
        setResult(await send(target));
      },
      t('webhooks.testFailed'),
    );
  const handleSwitch = () =>
    act('switch', () => change({ ...target, body: { isOn: !isOn } }), t('webhooks.changeFailed'));
  const handleSecret = () =>
    act('secret', async () => setSecret((await renew(target)).secret), t('webhooks.secretFailed'));
  const handleRemove = async () => {
    if (await act('remove', () => remove(target), t('webhooks.removeFailed'))) toast({ title: t('webhooks.removed') });
  };
  const button = (what: string, label: string, onClick: () => void) => (
    <Button
      variant="outline"
      size="sm"
      busy={isBusyWith(what)}
      aria-label={t('webhooks.actionOf', { action: label, host })}
      onClick={onClick}
    >
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
          {WEBHOOK_FORMATS[format]} · {events.map((event) => EVENT_WORDS[event]).join(' · ')}
        </p>
        <StateLine webhook={webhook} />
        <p role="status" className={result?.isDelivered ? 'text-success' : 'text-destructive'}>
          {result ? describeTest(result) : null}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {button('test', t('webhooks.test'), () => void handleTest())}
        {button('log', t('webhooks.deliveries'), () => setOpen('log'))}
        {button('change', t('webhooks.change'), () => setOpen('change'))}
        {button('switch', t(isOn ? 'webhooks.switchOff' : 'webhooks.switchOn'), () => void handleSwitch())}
        {format === 'standard' ? button('secret', t('webhooks.newSecret'), () => setOpen('secret')) : null}
        {button('remove', t('webhooks.remove'), () => setOpen('remove'))}
      </div>
      <Dialog
        open={open === 'change'}
        onOpenChange={handleOpenChange}
        title={t('webhooks.changeTitle')}
        description={t('webhooks.changeText')}
        className="sm:max-w-lg"
      >
        <WebhookForm of={of} webhook={webhook} onDone={handleOpenChange} onClose={handleOpenChange} />
      </Dialog>
      <Dialog
        open={open === 'log'}
        onOpenChange={handleOpenChange}
        title={t('webhooks.deliveries')}
        description={t('webhooks.deliveriesText', { host, count: LIMITS.webhookDays })}
        className="sm:max-w-2xl"
      >
        <DeliveryLog webhook={webhook} />
      </Dialog>
      <AlertDialog
        open={open === 'secret'}
        onOpenChange={handleOpenChange}
        title={t('webhooks.secretQuestion')}
        text={t('webhooks.secretQuestionText', { count: LIMITS.webhookSecretHours })}
        confirmLabel={t('webhooks.makeSecret')}
        confirmVariant="primary"
        onConfirm={() => void handleSecret()}
      />
      <AlertDialog
        open={open === 'remove'}
        onOpenChange={handleOpenChange}
        title={t('webhooks.removeQuestion')}
        text={t('webhooks.removeText', { host })}
        confirmLabel={t('webhooks.remove')}
        onConfirm={() => void handleRemove()}
      />
      <NewSecret secret={secret} onDone={() => setSecret(undefined)} />
    </li>
  );
};

import { t } from '../../../../contract/i18n.ts';
import {
  listWebhookDeliveries,
  resendWebhookDelivery,
  type Webhook,
  type WebhookDelivery,
} from '../../../../contract/webhooks.ts';
import { usePoll } from '../../api/events.ts';
import { useApiMutation, useInfiniteApiQuery, useInvalidateQueries } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { EmptyLine } from '../../ui/list-section.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

const STATES = {
  waiting: ['webhooks.status_waiting', 'warning'],
  sending: ['webhooks.status_sending', 'neutral'],
  delivered: ['webhooks.status_delivered', 'success'],
  failed: ['webhooks.status_failed', 'destructive'],
} as const;

const POLL_MS = 2000;
const SOON_MS = 30_000;

const isUnderWay = ({ status, nextAttemptAt }: WebhookDelivery): boolean =>
  status === 'sending' || (nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + SOON_MS);

/** What was sent to a webhook, newest first, each with what came back. */
export const DeliveryLog = ({ webhook }: { webhook: Webhook }) => {
  const list = useInfiniteApiQuery(listWebhookDeliveries, { params: { id: webhook.id } }, { freshMs: 0 });
  const invalidate = useInvalidateQueries();
  const handlePoll = async () => {
    await list.mutate();
    // an attempt that fails may switch the webhook off
    await invalidate('webhooks');
  };
  usePoll(handlePoll, webhook.isOn && list.data?.some(isUnderWay) ? POLL_MS : null);
  return (
    <Query
      of={list}
      failure={t('webhooks.logFailed')}
      size="section"
      loading={<SkeletonRegion boxes={['h-16', 'h-16']} />}
      empty={<EmptyLine>{t('webhooks.logEmpty')}</EmptyLine>}
    >
      {(deliveries) => (
        <div>
          <ul className="divide-y divide-border">
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
            ))}
          </ul>
          <LoadMoreButton list={list} />
        </div>
      )}
    </Query>
  );
};

const toOutcome = ({ status, attempts, responseStatus, error, durationMs, nextAttemptAt }: WebhookDelivery): string => {
  // what is there before an attempt ends is the answer to an earlier one
  const isAnswered = attempts > 0 && status !== 'sending';
  const said = error ?? (responseStatus === null ? null : t('webhooks.responded', { status: String(responseStatus) }));
  const answer = isAnswered ? said : null;
  return [
    attempts > 0 ? t('webhooks.attempts', { count: attempts }) : null,
    answer,
    durationMs === null || status !== 'delivered' ? null : t('webhooks.duration', { ms: durationMs }),
    nextAttemptAt === null ? null : t('webhooks.nextAttempt', { time: formatDateTime(nextAttemptAt) }),
  ]
    .filter(Boolean)
    .join(' · ');
};

const DeliveryRow = ({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) => {
  const { id, type, status, createdAt } = delivery;
  const [label, variant] = STATES[status];
  const toast = useToast();
  const resend = useApiMutation(resendWebhookDelivery);
  const { isBusy, run } = useAction();
  const handleResend = async () => {
    const params = { id: webhook.id, deliveryId: id };
    if (await run(() => resend({ params }), t('webhooks.resendFailed'))) toast({ title: t('webhooks.resent') });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 grow basis-56 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-mono font-medium">{type}</span> <Badge variant={variant}>{t(label)}</Badge>
        </p>
        <p className="wrap-anywhere text-muted-foreground">
          {formatDateTime(createdAt)}
          {' · '}
          {toOutcome(delivery)}
        </p>
      </div>
      {webhook.isOn && status !== 'sending' ? (
        <Button
          variant="outline"
          size="sm"
          busy={isBusy}
          aria-label={t('webhooks.sendAgainOf', { type, time: formatDateTime(createdAt) })}
          onClick={() => void handleResend()}
        >
          {isBusy ? <Spinner /> : null} {t('webhooks.sendAgain')}
        </Button>
      ) : null}
    </li>
  );
};

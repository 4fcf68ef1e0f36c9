import { t } from '../../../../contract/i18n.ts';
import { EVENT_WORDS, WEBHOOK_FORMATS } from '../../../../contract/webhook-words.ts';
import {
  createWebhook,
  listEventsOf,
  updateWebhook,
  type Webhook,
  type WebhookEvent,
  type WebhookFormat,
  type WebhookOwner,
} from '../../../../contract/webhooks.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation } from '../../api/query.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field, Input, NativeSelect } from '../../ui/form-controls.tsx';

interface WebhookFormProps {
  of: WebhookOwner;
  /** Which one to change. Without one, the form adds one. */
  webhook?: Webhook;
  /** `secret`: of the one that was added. */
  onDone: (secret?: string) => void;
  onClose: () => void;
}

interface Values {
  of: WebhookOwner;
  url: string;
  events: WebhookEvent[];
  format: WebhookFormat;
}

export const WebhookForm = ({ of, webhook, onDone, onClose }: WebhookFormProps) => {
  const [create, change] = [useApiMutation(createWebhook), useApiMutation(updateWebhook)];
  const { url, events, format }: Omit<Values, 'of'> = webhook ?? { url: '', events: [], format: 'standard' };
  const saved: Values = { of, url, events, format };
  const apiForm = useApiForm<Values>({ endpoint: createWebhook, saved });
  const { form, isSending } = apiForm;
  const { errors } = form.formState;
  const submit = apiForm.createSubmit({
    send: async ({ of: _, ...body }) => {
      if (webhook === undefined) return (await create({ body: { ...body, of } })).secret;
      await change({ params: { id: webhook.id }, body });
      return undefined;
    },
    onSent: onDone,
    onRefused: (error) =>
      apiForm.setFailure(getErrorMessage(error, t(webhook ? 'webhooks.changeFailed' : 'webhooks.addFailed'))),
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label={t('webhooks.address')} required error={errors.url?.message} hint={t('webhooks.addressHint')}>
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={isSending}
          {...form.register('url')}
        />
      </Field>
      <ChoiceField
        legend={t('webhooks.events')}
        type="checkbox"
        choices={listEventsOf(of).map((event) => [event, <EventLabel key={event} event={event} />])}
        input={form.register('events')}
        error={errors.events?.message}
        disabled={isSending}
        className="mt-1 grid sm:grid-cols-2 sm:gap-x-4"
        choiceClassName="min-h-11 gap-3 py-1"
      />
      <Field label={t('webhooks.format')} error={errors.format?.message}>
        <NativeSelect disabled={isSending} options={Object.entries(WEBHOOK_FORMATS)} {...form.register('format')} />
      </Field>
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {t(webhook ? 'webhooks.save' : 'webhooks.addConfirm')}
      </DialogFormFooter>
    </form>
  );
};

const EventLabel = ({ event }: { event: WebhookEvent }) => (
  <span className="min-w-0 text-sm">
    {EVENT_WORDS[event]} <code className="block font-mono text-xs text-muted-foreground">{event}</code>
  </span>
);

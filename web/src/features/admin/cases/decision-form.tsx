import { type FormEvent, useState } from 'react';
import { t } from '../../../../../contract/i18n.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { REPORT_REASONS } from '../../../../../contract/report-reasons.ts';
import { type Case, decideCase, type ReportReason } from '../../../../../contract/reports.ts';
import type { Me } from '../../../../../contract/user.ts';
import { getErrorMessage, hasStatus } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/query.ts';
import { useApiForm } from '../../../api/use-api-form.ts';
import { useFormValues } from '../../../api/use-form-values.ts';
import { draftKey } from '../../../lib/draft.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { DraftNotice } from '../../../ui/draft-notice.tsx';
import { Spinner } from '../../../ui/feedback.tsx';
import { Field, FormError, NativeSelect, Textarea } from '../../../ui/form-controls.tsx';
import { AlertDialog } from '../../../ui/lazy-overlays.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import { useCharacterCount } from '../../../ui/use-character-count.ts';
import { CHOICE_NAMES, CHOICES, type ChoiceName, toActionText, toChoiceLabel } from './case-texts.ts';
import { Kbd, useShortcutSwitch, useShortcuts } from './shortcuts.tsx';

interface DecisionValues {
  action: ChoiceName | '';
  reason: ReportReason;
  note: string;
}

const toBody = ({ action, reason, note }: DecisionValues) => {
  const choice = action ? CHOICES[action] : undefined;
  return {
    // Without a choice, the contract's schema refuses the body.
    action: choice?.action as NonNullable<typeof choice>['action'],
    reason,
    ...(note.trim() ? { note } : {}),
    ...(choice && 'days' in choice ? { days: choice.days } : {}),
  };
};

interface DecisionFormProps {
  data: Case;
  me: Me;
  onDecided: () => void;
  /** The server refused the decision with 409. */
  onConflict: () => void;
}

export const DecisionForm = ({ data, me, onDecided, onConflict }: DecisionFormProps) => {
  const toast = useToast();
  const decide = useApiMutation(decideCase);
  const [isAsking, setAsking] = useState(false);
  const [hasKeys] = useShortcutSwitch();
  // The server sorts the reasons by the number of their reports.
  const likelyReason = data.appeal?.contested.reason ?? data.reasons[0] ?? 'other';
  const apiForm = useApiForm<DecisionValues>({
    endpoint: decideCase,
    toBody,
    toMessage: (field, message) => (field === 'action' ? t('moderation.chooseDecision') : message),
    saved: { action: '', reason: likelyReason, note: '' },
    draft: { key: draftKey(me.id, `case:${data.id}`), since: 'typed' },
  });
  const { form, submitRef, isSending } = apiForm;
  const { errors } = form.formState;
  const [action, note] = useFormValues(form, 'action', 'note');
  const room = useCharacterCount(note, LIMITS.reason);
  const { displayName } = data.person;
  const offered = CHOICE_NAMES.filter((name) => data.actions.includes(CHOICES[name].action));

  const submit = apiForm.createSubmit({
    send: (values) =>
      decide({
        params: { id: data.id },
        body: { ...toBody(values), ...(data.version === null ? {} : { version: data.version }) },
      }),
    onSent: ({ decision }) => {
      if (decision)
        toast({
          title: t('moderation.didIt', { decision: toActionText(decision, data.targetType), title: data.title }),
        });
      onDecided();
    },
    onRefused: (error) => {
      apiForm.setFailure(getErrorMessage(error, t('moderation.decideFailed')));
      if (hasStatus(error, 409)) onConflict();
    },
  });
  const handleSubmit = (event: FormEvent) => {
    if (form.getValues('action') !== 'ban') return void submit(event);
    event.preventDefault();
    setAsking(true);
  };

  const choose = (name: ChoiceName) => () => {
    form.setValue('action', name, { shouldDirty: true });
    form.clearErrors('action');
    submitRef.current?.focus({ preventScroll: true });
  };
  useShortcuts(isSending ? {} : Object.fromEntries(offered.map((name) => [CHOICES[name].key, choose(name)])));

  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-4">
      <ChoiceField
        legend={t('moderation.decision')}
        legendClassName="card-heading"
        choices={offered.map((name) => [
          name,
          <>
            {toChoiceLabel(name, data.targetType)}
            {hasKeys ? (
              <span aria-hidden="true" className="-me-1 ms-auto pointer-coarse:hidden">
                <Kbd>{CHOICES[name].key}</Kbd>
              </span>
            ) : null}
          </>,
        ])}
        input={form.register('action')}
        error={errors.action?.message}
        disabled={isSending}
        className="mt-3 grid grid-cols-2 gap-2 xl:grid-cols-1"
        choiceClassName="min-h-11 gap-2.5 rounded-control border border-input px-3 text-sm has-checked:border-primary has-checked:bg-accent has-checked:font-medium has-checked:text-accent-foreground md:min-h-9 [&_input]:size-4"
      />
      <Field label={t('moderation.reason')} error={errors.reason?.message}>
        <NativeSelect options={Object.entries(REPORT_REASONS)} disabled={isSending} {...form.register('reason')} />
      </Field>
      <Field
        // A dismissal is not sent to the person concerned.
        label={action === 'dismiss' ? t('moderation.noteForStaff') : t('moderation.noteTo', { name: displayName })}
        error={errors.note?.message}
        {...room.field}
      >
        <Textarea rows={2} disabled={isSending} className="max-h-48" {...form.register('note')} />
      </Field>
      <DraftNotice form={apiForm} />
      <FormError>{apiForm.failure}</FormError>
      <Button ref={submitRef} type="submit" busy={isSending}>
        {isSending ? <Spinner /> : null} {t('moderation.decide')}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('moderation.banName', { name: displayName })}
        text={t('moderation.banText', { name: displayName })}
        confirmLabel={t('moderation.choice_ban')}
        onConfirm={() => void submit()}
      />
    </form>
  );
};

import { useState } from 'react';
import { type AdminUser, suspendUser, warnUser } from '../../../../contract/admin.ts';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { REPORT_REASONS } from '../../../../contract/report-reasons.ts';
import { type ReportReason, SUSPENSION_DAYS } from '../../../../contract/reports.ts';
import { Field, NativeSelect, Textarea } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';
import { useAdminAction } from './moderation.tsx';

export type UserDecision = 'warn' | 'suspend';

const TEXTS = {
  warn: { label: 'people.warn', title: 'people.warnName', text: 'people.warnText' },
  suspend: { label: 'people.suspend', title: 'people.suspendName', text: 'people.suspendText' },
} as const;

interface UserDecisionDialogProps {
  user: AdminUser;
  decision: UserDecision | undefined;
  onClose: () => void;
}

/** Warns or suspends a user. What was typed is kept until the action succeeds. */
export const UserDecisionDialog = ({ user, decision, onClose }: UserDecisionDialogProps) => {
  const [days, setDays] = useState<(typeof SUSPENSION_DAYS)[number]>(1);
  const [reason, setReason] = useState<ReportReason>('other');
  const [note, setNote] = useState('');
  const room = useCharacterCount(note, LIMITS.reason);
  const { act: warn } = useAdminAction(warnUser, { done: 'people.warned', failed: 'people.warnFailed' });
  const { act: suspend } = useAdminAction(suspendUser, { done: 'people.didSuspend', failed: 'people.suspendFailed' });
  const texts = TEXTS[decision ?? 'warn'];
  const name = { name: user.displayName };

  const handleConfirm = async () => {
    const params = { id: user.id };
    const body = { reason, ...(note.trim() && { note }) };
    const isDone = await (decision === 'suspend'
      ? suspend({ params, body: { ...body, days } })
      : warn({ params, body }));
    if (isDone) setNote('');
  };

  return (
    <AlertDialog
      open={decision !== undefined}
      onOpenChange={onClose}
      title={t(texts.title, name)}
      text={t(texts.text, name)}
      confirmLabel={t(texts.label)}
      confirmDisabled={room.isOver}
      onConfirm={() => void handleConfirm()}
    >
      {decision === 'suspend' ? (
        <Field label={t('people.duration')}>
          <NativeSelect
            value={days}
            options={SUSPENSION_DAYS.map((option) => [option, t('people.days', { count: option })])}
            onChange={({ target }) => setDays(SUSPENSION_DAYS.find((option) => String(option) === target.value) ?? 1)}
          />
        </Field>
      ) : null}
      <Field label={t('people.reason')}>
        <NativeSelect
          value={reason}
          options={Object.entries(REPORT_REASONS)}
          onChange={({ target }) => setReason(target.value as ReportReason)}
        />
      </Field>
      <Field label={t('people.noteTo', name)} {...room.field}>
        <Textarea rows={2} className="max-h-48" value={note} onChange={({ target }) => setNote(target.value)} />
      </Field>
    </AlertDialog>
  );
};

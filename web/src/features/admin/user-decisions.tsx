import { useState } from 'react';
import { type AdminUser, suspendUser, warnUser } from '../../../../contract/admin.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { pluralize } from '../../../../contract/plural.ts';
import { REPORT_REASONS } from '../../../../contract/report-reasons.ts';
import { type ReportReason, SUSPENSION_DAYS } from '../../../../contract/reports.ts';
import { Field, NativeSelect, Textarea } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';
import { useAdminAction } from './moderation.tsx';

export type UserDecision = 'warn' | 'suspend';

const TEXTS = {
  warn: {
    label: 'Warn',
    text: (name: string) => `${name} sees the warning with its reason and your note, and may appeal.`,
  },
  suspend: {
    label: 'Suspend',
    text: (name: string) =>
      `The ads of ${name} leave public view until the suspension ends. Meanwhile ${name} may sign in only to read the reason and your note, to appeal, and to export their data.`,
  },
};

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
  const { act: warn } = useAdminAction(warnUser, { done: 'User warned', failed: 'Failed to warn user' });
  const { act: suspend } = useAdminAction(suspendUser, { done: 'User suspended', failed: 'Failed to suspend user' });
  const { label, text } = TEXTS[decision ?? 'warn'];

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
      title={`${label} ${user.displayName}`}
      text={text(user.displayName)}
      confirmLabel={label}
      confirmDisabled={room.isOver}
      onConfirm={() => void handleConfirm()}
    >
      {decision === 'suspend' ? (
        <Field label="Duration">
          <NativeSelect
            value={days}
            options={SUSPENSION_DAYS.map((option) => [option, pluralize(option, 'day')])}
            onChange={({ target }) => setDays(SUSPENSION_DAYS.find((option) => String(option) === target.value) ?? 1)}
          />
        </Field>
      ) : null}
      <Field label="Reason">
        <NativeSelect
          value={reason}
          options={Object.entries(REPORT_REASONS)}
          onChange={({ target }) => setReason(target.value as ReportReason)}
        />
      </Field>
      <Field label={`Note to ${user.displayName} (optional)`} {...room.field}>
        <Textarea rows={2} className="max-h-48" value={note} onChange={({ target }) => setNote(target.value)} />
      </Field>
    </AlertDialog>
  );
};

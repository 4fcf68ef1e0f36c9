import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { REPORT_REASONS } from '../../../../contract/report-reasons.ts';
import { createReport, REASONS_OF, type ReportReason } from '../../../../contract/reports.ts';
import type { Me } from '../../../../contract/user.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useFormValues } from '../../api/use-form-values.ts';
import { draftKey } from '../../lib/draft.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';
import { useOpenSignIn } from '../auth/sign-in.tsx';
import type { ReportedTarget } from './reported-target.ts';

const TITLES = {
  ad: 'report.title_ad',
  user: 'report.title_user',
  message: 'report.title_message',
  rating: 'report.title_rating',
} as const;
const TEXTS = {
  ad: 'report.text',
  user: 'report.text',
  message: 'report.text_message',
  rating: 'report.text_rating',
} as const;

interface ReportDialogProps {
  target: ReportedTarget;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const ReportDialog = ({ target, open, onOpenChange }: ReportDialogProps) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const isStaff = user !== null && user !== undefined && user.role !== 'user';
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(isStaff ? 'report.staffTitle' : TITLES[target.type])}
      description={t(isStaff ? 'report.staffText' : TEXTS[target.type], { name: target.name })}
    >
      {user ? (
        <ReportForm key={target.id} me={user} target={target} onClose={() => onOpenChange(false)} />
      ) : (
        <div className="grid justify-items-start gap-3">
          <p>{t('report.sessionEnded')}</p>
          <Button onClick={() => openSignIn()}>{t('shell.signIn')}</Button>
        </div>
      )}
    </Dialog>
  );
};

interface ReportValues {
  reason: ReportReason | '';
  details: string;
}

const EMPTY: ReportValues = { reason: '', details: '' };

interface ReportFormProps {
  me: Me;
  target: ReportedTarget;
  onClose: () => void;
}

const ReportForm = ({ me, target, onClose }: ReportFormProps) => {
  const toast = useToast();
  const report = useApiMutation(createReport);
  const toBody = ({ reason, details }: ReportValues) => ({
    targetType: target.type,
    targetId: target.id,
    reason: reason as ReportReason,
    ...(details.trim() ? { details } : {}),
  });
  const apiForm = useApiForm<ReportValues>({
    endpoint: createReport,
    toBody,
    saved: EMPTY,
    draft: { key: draftKey(me.id, `report:${target.type}:${target.id}`), since: 'typed' },
  });
  const { form, isSending } = apiForm;
  const { errors } = form.formState;
  const [reason, details] = useFormValues(form, 'reason', 'details');
  const room = useCharacterCount(details, LIMITS.reportDetails);
  const needsDetails = reason === 'other';

  const handleSubmit = apiForm.createSubmit({
    send: (values) => report({ body: toBody(values) }),
    onSent: () => {
      onClose();
      toast({ title: t('report.thanks') });
    },
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, t('report.sendFailed'))),
  });

  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-4">
      <ChoiceField
        legend={t('report.what')}
        choices={REASONS_OF[target.type].map((reason) => [reason, REPORT_REASONS[reason]])}
        input={form.register('reason')}
        error={errors.reason?.message}
        disabled={isSending}
        className="mt-1 grid sm:grid-cols-2"
        choiceClassName="min-h-11 gap-3"
      />
      <Field
        label={t(needsDetails ? 'report.details' : 'report.detailsOptional')}
        required={needsDetails}
        error={errors.details?.message}
        {...room.field}
      >
        <Textarea
          rows={3}
          disabled={isSending}
          placeholder={t('report.placeholder')}
          className="max-h-48"
          {...form.register('details')}
        />
      </Field>
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {t(me.role === 'user' ? 'report.send' : 'report.staffSend')}
      </DialogFormFooter>
    </form>
  );
};

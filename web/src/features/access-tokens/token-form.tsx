import { createAccessToken } from '../../../../contract/access-tokens.ts';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { SCOPES } from '../../../../contract/scope-words.ts';
import { isStaffScope, SCOPE_NAMES } from '../../../../contract/scopes.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation } from '../../api/query.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field, Input, NativeSelect } from '../../ui/form-controls.tsx';

const DAYS = [7, 30, LIMITS.tokenDays, 180, LIMITS.tokenDaysMax];

interface TokenFormProps {
  isStaff: boolean;
  /** Gets the token itself, which exists nowhere else. */
  onCreated: (token: string) => void;
  onClose: () => void;
}

/** What a new token is called, what it may do, and for how long. */
export const TokenForm = ({ isStaff, onCreated, onClose }: TokenFormProps) => {
  const create = useApiMutation(createAccessToken);
  const apiForm = useApiForm({ endpoint: createAccessToken, saved: { name: '', scopes: [], days: LIMITS.tokenDays } });
  const { form, isSending } = apiForm;
  const { errors } = form.formState;
  const submit = apiForm.createSubmit({
    send: (body) => create({ body }),
    onSent: ({ token }) => onCreated(token),
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, t('tokens.makeFailed'))),
  });
  const offered = SCOPE_NAMES.filter((scope) => isStaff || !isStaffScope(scope));
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label={t('tokens.name')} required error={errors.name?.message} hint={t('tokens.nameHint')}>
        <Input autoComplete="off" disabled={isSending} {...form.register('name')} />
      </Field>
      <ChoiceField
        legend={t('tokens.may')}
        type="checkbox"
        choices={offered.map((scope) => [scope, <Scope key={scope} name={scope} />])}
        input={form.register('scopes')}
        error={errors.scopes?.message}
        disabled={isSending}
        className="mt-1.5 grid"
        choiceClassName="min-h-11 gap-3 py-1.5 text-sm"
      />
      <Field label={t('tokens.worksFor')} error={errors.days?.message}>
        <NativeSelect
          options={DAYS.map((days) => [days, t('tokens.days', { count: days })] as const)}
          disabled={isSending}
          {...form.register('days', { valueAsNumber: true })}
        />
      </Field>
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {t('tokens.make')}
      </DialogFormFooter>
    </form>
  );
};

const Scope = ({ name }: { name: keyof typeof SCOPES }) => (
  <span className="min-w-0">
    {SCOPES[name]} <code className="text-muted-foreground">{name}</code>
  </span>
);

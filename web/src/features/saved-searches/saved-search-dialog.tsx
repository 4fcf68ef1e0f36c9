import { useNavigate } from 'react-router-dom';
import type { Filters } from '../../../../contract/filters.ts';
import { type TextKey, t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import {
  createSavedSearch,
  type SavedSearch,
  type SearchFrequency,
  updateSavedSearch,
} from '../../../../contract/saved-searches.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { draftKey } from '../../lib/draft.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field, Input } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useFilterNames } from '../ads/filters/applied-filters.tsx';
import { describeSearch, proposeName } from './describe-search.ts';

export const FREQUENCIES: Record<SearchFrequency, { label: TextKey; hint: TextKey }> = {
  instantly: { label: 'searches.instantly', hint: 'searches.instantlyHint' },
  daily: { label: 'searches.daily', hint: 'searches.dailyHint' },
  never: { label: 'searches.never', hint: 'searches.neverHint' },
};

interface SavedSearchDialogProps {
  filters: Filters;
  /** Absent: the dialog saves a new search. */
  saved?: SavedSearch;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const SavedSearchDialog = ({ filters, saved, open, onOpenChange }: SavedSearchDialogProps) => {
  const names = useFilterNames(filters);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(saved ? 'searches.editTitle' : 'searches.saveTitle')}
      description={t('searches.byFilters', { filters: describeSearch(filters, names).join(t('searches.comma')) })}
    >
      <SavedSearchForm filters={filters} saved={saved} names={names} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
};

interface FormValues {
  name: string;
  frequency: SearchFrequency;
}

interface FormProps extends Pick<SavedSearchDialogProps, 'filters'> {
  saved: SavedSearch | undefined;
  names: ReturnType<typeof useFilterNames>;
  onClose: () => void;
}

const SavedSearchForm = ({ filters, saved, names, onClose }: FormProps) => {
  const { user } = useSession();
  const toast = useToast();
  const navigate = useNavigate();
  const create = useApiMutation(createSavedSearch);
  const update = useApiMutation(updateSavedSearch);
  const apiForm = useApiForm<FormValues>({
    endpoint: updateSavedSearch,
    saved: { name: saved?.name ?? proposeName(filters, names), frequency: saved?.frequency ?? 'instantly' },
    draft: { key: draftKey(user?.id ?? '', `search:${saved?.id ?? JSON.stringify(filters)}`), since: 'typed' },
  });
  const { form, isSending } = apiForm;
  const { errors } = form.formState;

  const handleSubmit = apiForm.createSubmit<unknown>({
    send: (values, { idempotencyKey }) =>
      saved
        ? update({ params: { id: saved.id }, body: values })
        : create({ body: { ...values, filters }, idempotencyKey }),
    onSent: () => {
      onClose();
      toast(
        saved
          ? { title: t('searches.changed') }
          : {
              title: t('searches.saved'),
              action: { label: t('searches.view'), onClick: () => void navigate('/dashboard#saved-searches') },
            },
      );
    },
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, t('searches.saveFailed'))),
  });

  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-4">
      <Field label={t('searches.name')} required error={errors.name?.message}>
        <Input disabled={isSending} maxLength={LIMITS.searchName} autoComplete="off" {...form.register('name')} />
      </Field>
      <ChoiceField
        legend={t('searches.notifyMe')}
        choices={Object.entries(FREQUENCIES).map(([value, { label, hint }]) => [
          value,
          <span key={value}>
            {t(label)}
            <span className="block text-sm text-muted-foreground">{t(hint)}</span>
          </span>,
        ])}
        input={form.register('frequency')}
        disabled={isSending}
        className="mt-1 grid"
        choiceClassName="min-h-11 gap-3 py-1"
      />
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {t(saved ? 'searches.saveChanges' : 'searches.save')}
      </DialogFormFooter>
    </form>
  );
};

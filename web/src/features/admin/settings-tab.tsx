import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  getSettings,
  type Settings,
  SPAM_LIMITS,
  type SpamLimit,
  updateSettings,
  type VersionedSettings,
} from '../../../../contract/admin.ts';
import { changePassword, getMe } from '../../../../contract/auth.ts';
import { labels, type TextKey, t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { switchPasswordOff } from '../../../../contract/passkeys.ts';
import { apiRequest, getErrorMessage } from '../../api/client.ts';
import { fetchForQuery } from '../../api/query.ts';
import { useReplaceSession, useSession } from '../../api/session.ts';
import { useFormQuery } from '../../api/uncached-query.ts';
import { useAction } from '../../api/use-action.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { sendVersioned, VersionConflict } from '../../api/versioned.ts';
import { draftKey } from '../../lib/draft.ts';
import { splitWords } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Field, Input, NativeSelect, Textarea } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { ConflictDialog, hasSameText } from '../../ui/version-conflict.tsx';
import { PasswordInput } from './sign-in.tsx';
import { SynonymsCard } from './synonyms.tsx';

export const SettingsTab = ({ hasPassword }: { hasPassword: boolean }) => {
  const query = useFormQuery(getSettings, {});
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Query
        of={query}
        failure={t('settings.loadFailed')}
        loading={<SkeletonRegion className="grid gap-4" boxes={['h-64']} />}
      >
        {(settings) => (
          <SettingsForm settings={settings} onSaved={(saved) => void query.mutate(saved, { revalidate: false })} />
        )}
      </Query>
      <div className="grid content-start gap-4">
        <SynonymsCard />
        {hasPassword ? <PasswordCard /> : null}
      </div>
    </div>
  );
};

/** The home country is part of the brand tab. */
interface SettingsValues extends Omit<Settings, 'bannedWords' | 'homeCountry'> {
  bannedWords: string;
}

const toSettings = (values: SettingsValues): Omit<Settings, 'homeCountry'> => ({
  ...values,
  bannedWords: splitWords(values.bannedWords),
});

const toSettingsValues = ({ version: _, homeCountry: _country, ...settings }: VersionedSettings): SettingsValues => ({
  ...settings,
  bannedWords: settings.bannedWords.join(', '),
});

const LABELS = labels<keyof SettingsValues>({
  maxAdDurationDays: 'settings.maxAdDurationDays',
  maxImagesPerAd: 'settings.maxImagesPerAd',
  moderationMode: 'settings.moderationMode',
  reportHoldWeight: 'settings.reportHoldWeight',
  bannedWords: 'settings.bannedWords',
  minXAccountAgeDays: 'settings.minXAccountAgeDays',
  newAccountAdsPerDay: 'settings.newAccountAdsPerDay',
  newConversationsPerHour: 'settings.newConversationsPerHour',
  sameTextPeople: 'settings.sameTextPeople',
  distanceUnit: 'settings.distanceUnit',
});

const toRows = (values: SettingsValues): [field: string, text: string][] =>
  Object.entries(LABELS).map(([name, label]) => [label, String(values[name as keyof SettingsValues])]);

const DISTANCE_UNITS = labels<Settings['distanceUnit']>({ km: 'settings.unit_km', miles: 'settings.unit_miles' });
const MODERATION_MODES = labels<Settings['moderationMode']>({
  automatic: 'settings.mode_automatic',
  manual: 'settings.mode_manual',
  trusted: 'settings.mode_trusted',
});

const INTEGER = { type: 'number', min: 0, step: 1, required: true };

const SPAM_HINTS: Record<SpamLimit, TextKey> = {
  minXAccountAgeDays: 'settings.minXAccountAgeDaysHint',
  newAccountAdsPerDay: 'settings.newAccountAdsPerDayHint',
  newConversationsPerHour: 'settings.newConversationsPerHourHint',
  sameTextPeople: 'settings.sameTextPeopleHint',
};

interface SettingsFormProps {
  settings: VersionedSettings;
  onSaved: (saved: VersionedSettings) => void;
}

const SettingsForm = ({ settings, onSaved }: SettingsFormProps) => {
  const { user } = useSession();
  const toast = useToast();
  const apiForm = useApiForm<SettingsValues>({
    endpoint: updateSettings,
    toBody: toSettings,
    saved: toSettingsValues(settings),
    version: settings.version,
    draft: { key: draftKey(user?.id ?? '', 'settings'), since: 'typed' },
  });
  const { form, submitRef, isSending } = apiForm;
  const { errors } = form.formState;
  const [conflicting, setConflicting] = useState<VersionedSettings>();

  const restart = (saved: VersionedSettings) => {
    setConflicting(undefined);
    onSaved(saved);
    apiForm.restart(toSettingsValues(saved), saved.version);
  };

  const handleSubmit = apiForm.createSubmit({
    send: (values, { version }) =>
      sendVersioned({
        version,
        put: (last) => apiRequest(updateSettings, { body: { ...toSettings(values), version: last } }),
        reread: () => fetchForQuery(getSettings),
        isHarmless: (saved) => hasSameText(toRows(toSettingsValues(saved)), toRows(values)),
      }),
    onSent: (saved) => {
      restart(saved);
      toast({ title: t('settings.success'), description: t('settings.saved') });
    },
    onRefused: (error) => {
      if (error instanceof VersionConflict) return setConflicting(error.saved as VersionedSettings);
      toast.error(getErrorMessage(error, t('settings.saveFailed')));
    },
  });

  return (
    <form onSubmit={handleSubmit} className="grid content-start gap-4">
      <Card className="grid gap-4">
        <h2 className="card-heading">{t('settings.platform')}</h2>
        <Field
          label={LABELS.maxAdDurationDays}
          hint={t('settings.maxAdDurationDaysHint')}
          error={errors.maxAdDurationDays?.message}
        >
          <Input {...INTEGER} max={3650} {...form.register('maxAdDurationDays', { valueAsNumber: true })} />
        </Field>
        <Field label={LABELS.maxImagesPerAd} error={errors.maxImagesPerAd?.message}>
          <Input {...INTEGER} max={LIMITS.images} {...form.register('maxImagesPerAd', { valueAsNumber: true })} />
        </Field>
        <Field label={LABELS.distanceUnit} hint={t('settings.distanceUnitHint')}>
          <NativeSelect options={Object.entries(DISTANCE_UNITS)} {...form.register('distanceUnit')} />
        </Field>
      </Card>
      <Card className="grid gap-4">
        <h2 className="card-heading">{t('settings.moderation')}</h2>
        <Field label={LABELS.moderationMode} hint={t('settings.moderationModeHint')}>
          <NativeSelect options={Object.entries(MODERATION_MODES)} {...form.register('moderationMode')} />
        </Field>
        <Field
          label={LABELS.reportHoldWeight}
          hint={t('settings.reportHoldWeightHint')}
          error={errors.reportHoldWeight?.message}
        >
          <Input {...INTEGER} max={1000} {...form.register('reportHoldWeight', { valueAsNumber: true })} />
        </Field>
        <Field label={LABELS.bannedWords} hint={t('settings.bannedWordsHint')} error={errors.bannedWords?.message}>
          <Textarea rows={4} {...form.register('bannedWords')} />
        </Field>
      </Card>
      <Card className="grid gap-4">
        <h2 className="card-heading">{t('settings.spam')}</h2>
        <p className="text-sm text-muted-foreground">{t('settings.spamText')}</p>
        {(Object.entries(SPAM_LIMITS) as [SpamLimit, number][]).map(([name, max]) => (
          <Field
            key={name}
            label={LABELS[name]}
            hint={t(SPAM_HINTS[name], { count: LIMITS.newAccountDays })}
            error={errors[name]?.message}
          >
            <Input {...INTEGER} max={max} {...form.register(name, { valueAsNumber: true })} />
          </Field>
        ))}
      </Card>
      <DraftNotice form={apiForm} />
      <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-start">
        {isSending ? t('settings.saving') : t('settings.save')}
      </Button>
      <ConflictDialog
        title={t('settings.conflict')}
        mine={toRows(form.getValues())}
        saved={conflicting && toRows(toSettingsValues(conflicting))}
        onKeepMine={() => {
          apiForm.setVersion(conflicting?.version);
          setConflicting(undefined);
          void handleSubmit();
        }}
        onTakeSaved={() => conflicting && restart(conflicting)}
        onClose={() => setConflicting(undefined)}
      />
    </form>
  );
};

const NEW_PASSWORD = { autoComplete: 'new-password', minLength: LIMITS.passwordMin };
const PASSWORDS = [
  { name: 'currentPassword', label: 'settings.currentPassword', hint: undefined, autoComplete: 'current-password' },
  {
    name: 'newPassword',
    label: 'settings.newPassword',
    hint: 'settings.newPasswordHint',
    ...NEW_PASSWORD,
  },
  { name: 'confirmation', label: 'settings.confirmPassword', hint: undefined, ...NEW_PASSWORD },
] as const;
const NO_PASSWORDS = { currentPassword: '', newPassword: '', confirmation: '' };

/** Changes the administrator's own password. This ends their other sessions. */
const PasswordCard = () => {
  const toast = useToast();
  const apiForm = useApiForm({ endpoint: changePassword, saved: NO_PASSWORDS });
  const { form, submitRef, isSending } = apiForm;
  const { errors } = form.formState;

  const submit = apiForm.createSubmit({
    send: ({ currentPassword, newPassword }) => apiRequest(changePassword, { body: { currentPassword, newPassword } }),
    onSent: () => {
      apiForm.restart(NO_PASSWORDS);
      toast({ title: t('settings.success'), description: t('settings.passwordChanged') });
    },
    onRefused: (error) => toast.error(getErrorMessage(error, t('settings.passwordFailed'))),
  });
  const handleSubmit = (event: FormEvent) => {
    const { newPassword, confirmation } = form.getValues();
    if (newPassword === confirmation) return void submit(event);
    event.preventDefault();
    toast.error(t('settings.passwordsDiffer'));
  };

  return (
    <Card className="h-fit">
      <h2 className="card-heading">{t('settings.security')}</h2>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-4">
        {PASSWORDS.map(({ name, label, hint, ...input }) => (
          <Field
            key={name}
            label={t(label)}
            hint={hint && t(hint, { min: LIMITS.passwordMin, advised: LIMITS.passwordAdvised })}
            error={errors[name]?.message}
          >
            <PasswordInput required {...input} {...form.register(name)} />
          </Field>
        ))}
        <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-start">
          {isSending ? t('settings.changing') : t('settings.changePassword')}
        </Button>
      </form>
      <SwitchOff />
    </Card>
  );
};

/** With a passkey, an administrator needs no password. */
const SwitchOff = () => {
  const toast = useToast();
  const replaceSession = useReplaceSession();
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const handleSwitchOff = async () => {
    const isDone = await run(() => apiRequest(switchPasswordOff), t('settings.stillOn'));
    if (!isDone) return;
    toast({ title: t('settings.passwordOff'), description: t('settings.passwordOffText') });
    await replaceSession(await apiRequest(getMe));
  };
  return (
    <div className="mt-6 grid gap-3 border-t border-border pt-4">
      <p className="text-sm text-muted-foreground">
        {t('settings.passkeyAdvice')}{' '}
        <Link to="/preferences#passkeys" className="prose-link">
          {t('settings.yourPasskeys')}
        </Link>
      </p>
      <Button variant="outline" busy={isBusy} className="justify-self-start" onClick={() => setAsking(true)}>
        {t('settings.switchOff')}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('settings.askSwitchOff')}
        text={t('settings.switchOffText')}
        confirmLabel={t('settings.confirmSwitchOff')}
        onConfirm={() => void handleSwitchOff()}
      />
    </div>
  );
};

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
        failure="Failed to load settings"
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
  bannedWords: values.bannedWords
    .split(/[\n,]/)
    .map((word) => word.trim())
    .filter(Boolean),
});

const toSettingsValues = ({ version: _, homeCountry: _country, ...settings }: VersionedSettings): SettingsValues => ({
  ...settings,
  bannedWords: settings.bannedWords.join(', '),
});

const LABELS: Record<keyof SettingsValues, string> = {
  maxAdDurationDays: 'Max ad duration (days)',
  maxImagesPerAd: 'Max images per ad',
  moderationMode: 'Moderation mode',
  reportHoldWeight: 'Weight of reports that holds an ad',
  bannedWords: 'Banned words',
  minXAccountAgeDays: 'Minimum age of the X account (days)',
  newAccountAdsPerDay: 'Ads a day of a new account',
  newConversationsPerHour: 'New conversations an hour',
  sameTextPeople: 'People who get the same text',
  distanceUnit: 'Distances in',
};

const toRows = (values: SettingsValues): [field: string, text: string][] =>
  Object.entries(LABELS).map(([name, label]) => [label, String(values[name as keyof SettingsValues])]);

const DISTANCE_UNITS = { km: 'Kilometers', miles: 'Miles' };
const MODERATION_MODES = { automatic: 'Automatic', manual: 'Manual review', trusted: 'Trusted users only' };

const INTEGER = { type: 'number', min: 0, step: 1, required: true };

const SPAM_HINTS: Record<SpamLimit, string> = {
  minXAccountAgeDays: 'For ads, first messages, offers and reports.',
  newAccountAdsPerDay: `In the first ${LIMITS.newAccountDays} days of the account.`,
  newConversationsPerHour: 'That one person may start.',
  sameTextPeople: 'The same text to so many people within an hour is refused, from 2 on.',
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
      toast({ title: 'Success', description: 'Settings saved successfully' });
    },
    onRefused: (error) => {
      if (error instanceof VersionConflict) return setConflicting(error.saved as VersionedSettings);
      toast.error(getErrorMessage(error, 'Failed to save settings'));
    },
  });

  return (
    <form onSubmit={handleSubmit} className="grid content-start gap-4">
      <Card className="grid gap-4">
        <h2 className="card-heading">Platform settings</h2>
        <Field
          label={LABELS.maxAdDurationDays}
          hint="Unsold ads turn inactive after so many days; 0 means never."
          error={errors.maxAdDurationDays?.message}
        >
          <Input {...INTEGER} max={3650} {...form.register('maxAdDurationDays', { valueAsNumber: true })} />
        </Field>
        <Field label={LABELS.maxImagesPerAd} error={errors.maxImagesPerAd?.message}>
          <Input {...INTEGER} max={LIMITS.images} {...form.register('maxImagesPerAd', { valueAsNumber: true })} />
        </Field>
        <Field label={LABELS.distanceUnit} hint="Distances between places, and mileages.">
          <NativeSelect options={Object.entries(DISTANCE_UNITS)} {...form.register('distanceUnit')} />
        </Field>
      </Card>
      <Card className="grid gap-4">
        <h2 className="card-heading">Content moderation</h2>
        <Field label={LABELS.moderationMode} hint="Trusted: verified, or three approved ads.">
          <NativeSelect options={Object.entries(MODERATION_MODES)} {...form.register('moderationMode')} />
        </Field>
        <Field
          label={LABELS.reportHoldWeight}
          hint="A report weighs 1; from new people less, from proven ones more. 0 never holds an ad."
          error={errors.reportHoldWeight?.message}
        >
          <Input {...INTEGER} max={1000} {...form.register('reportHoldWeight', { valueAsNumber: true })} />
        </Field>
        <Field
          label={LABELS.bannedWords}
          hint="One a line or separated by commas. An ad with one of them waits for review."
          error={errors.bannedWords?.message}
        >
          <Textarea rows={4} {...form.register('bannedWords')} />
        </Field>
      </Card>
      <Card className="grid gap-4">
        <h2 className="card-heading">Limits against spam</h2>
        <p className="text-sm text-muted-foreground">0 switches a limit off. Staff are exempt.</p>
        {(Object.entries(SPAM_LIMITS) as [SpamLimit, number][]).map(([name, max]) => (
          <Field key={name} label={LABELS[name]} hint={SPAM_HINTS[name]} error={errors[name]?.message}>
            <Input {...INTEGER} max={max} {...form.register(name, { valueAsNumber: true })} />
          </Field>
        ))}
      </Card>
      <DraftNotice form={apiForm} />
      <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-start">
        {isSending ? 'Saving...' : 'Save Settings'}
      </Button>
      <ConflictDialog
        title="The settings were changed elsewhere"
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
  { name: 'currentPassword', label: 'Current password', hint: undefined, autoComplete: 'current-password' },
  {
    name: 'newPassword',
    label: 'New password',
    hint: `At least ${LIMITS.passwordMin} characters; ${LIMITS.passwordAdvised} are advised.`,
    ...NEW_PASSWORD,
  },
  { name: 'confirmation', label: 'Confirm new password', hint: undefined, ...NEW_PASSWORD },
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
      toast({ title: 'Success', description: 'Password changed successfully' });
    },
    onRefused: (error) => toast.error(getErrorMessage(error, 'Failed to change password')),
  });
  const handleSubmit = (event: FormEvent) => {
    const { newPassword, confirmation } = form.getValues();
    if (newPassword === confirmation) return void submit(event);
    event.preventDefault();
    toast.error('New passwords do not match');
  };

  return (
    <Card className="h-fit">
      <h2 className="card-heading">Admin security</h2>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-4">
        {PASSWORDS.map(({ name, label, hint, ...input }) => (
          <Field key={name} label={label} hint={hint} error={errors[name]?.message}>
            <PasswordInput required {...input} {...form.register(name)} />
          </Field>
        ))}
        <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-start">
          {isSending ? 'Changing...' : 'Change Password'}
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
    const isDone = await run(() => apiRequest(switchPasswordOff), 'The password is still on. Please try again.');
    if (!isDone) return;
    toast({ title: 'Password switched off', description: 'Sign in with a passkey from now on.' });
    await replaceSession(await apiRequest(getMe));
  };
  return (
    <div className="mt-6 grid gap-3 border-t border-border pt-4">
      <p className="text-sm text-muted-foreground">
        With a passkey you need no password: nobody can guess what is not there.{' '}
        <Link to="/preferences#passkeys" className="prose-link">
          Your passkeys
        </Link>
      </p>
      <Button variant="outline" busy={isBusy} className="justify-self-start" onClick={() => setAsking(true)}>
        Switch the password off
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Switch the password off?"
        text="Only passkeys sign you in then, and your other devices are signed out. “marketctl admin reset-password” sets a password again."
        confirmLabel="Switch off"
        onConfirm={() => void handleSwitchOff()}
      />
    </div>
  );
};

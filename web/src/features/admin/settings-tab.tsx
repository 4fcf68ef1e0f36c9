import { type FormEvent, useState } from 'react';
import { getSettings, type Settings, updateSettings, type VersionedSettings } from '../../../../contract/admin.ts';
import { changePassword } from '../../../../contract/auth.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { apiRequest, getErrorMessage } from '../../api/client.ts';
import { useApiQuery } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/feedback.tsx';
import { Field, Input, NativeSelect, Textarea } from '../../ui/form-controls.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { PasswordInput } from './password-input.tsx';

/** Platform settings, content moderation and the administrator's own password. */
export const SettingsTab = ({ hasPassword }: { hasPassword: boolean }) => {
  const { data, error, mutate } = useApiQuery(getSettings, {});
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      {error ? (
        <ErrorState title="Failed to load settings" onRetry={() => void mutate()} />
      ) : data ? (
        <SettingsForm settings={data} onSaved={(saved) => void mutate(saved, { revalidate: false })} />
      ) : (
        <SkeletonRegion className="grid gap-4">
          <Skeleton className="h-64" />
        </SkeletonRegion>
      )}
      {hasPassword ? <PasswordCard /> : null}
    </div>
  );
};

const readForm = (form: FormData): Settings => ({
  maxAdDurationDays: Number(form.get('maxAdDurationDays')),
  maxImagesPerAd: Number(form.get('maxImagesPerAd')),
  moderationMode: form.get('moderationMode') as Settings['moderationMode'],
  bannedWords: String(form.get('bannedWords'))
    .split(/[\n,]/)
    .map((word) => word.trim())
    .filter(Boolean),
});

/** Edits what the whole marketplace runs by; saved settings take effect at once. */
export const SettingsForm = ({
  settings,
  onSaved,
}: {
  settings: Settings;
  onSaved: (saved: VersionedSettings) => void;
}) => {
  const showToast = useToast();
  const [isSaving, setSaving] = useState(false);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaving(true);
    try {
      const saved = await apiRequest(updateSettings, { body: readForm(new FormData(event.currentTarget)) });
      onSaved(saved);
      showToast({ title: 'Success', description: 'Settings saved successfully' });
    } catch (error) {
      showToast.error(getErrorMessage(error, 'Failed to save settings'));
    } finally {
      setSaving(false);
    }
  };

  return (
    <form onSubmit={handleSubmit} className="grid content-start gap-4">
      <Card className="grid gap-4">
        <h2 className="card-heading">Platform settings</h2>
        <Field label="Max ad duration (days)" hint="Unsold ads turn inactive after so many days; 0 means never.">
          <Input
            name="maxAdDurationDays"
            type="number"
            min={0}
            max={3650}
            step={1}
            required
            defaultValue={settings.maxAdDurationDays}
          />
        </Field>
        <Field label="Max images per ad">
          <Input
            name="maxImagesPerAd"
            type="number"
            min={0}
            max={LIMITS.images}
            step={1}
            required
            defaultValue={settings.maxImagesPerAd}
          />
        </Field>
      </Card>
      <Card className="grid gap-4">
        <h2 className="card-heading">Content moderation</h2>
        <Field label="Moderation mode" hint="Trusted: verified, or three approved ads.">
          <NativeSelect name="moderationMode" defaultValue={settings.moderationMode}>
            <option value="automatic">Automatic</option>
            <option value="manual">Manual review</option>
            <option value="trusted">Trusted users only</option>
          </NativeSelect>
        </Field>
        <Field label="Banned words" hint="One a line or separated by commas. An ad with one of them waits for review.">
          <Textarea name="bannedWords" rows={4} defaultValue={settings.bannedWords.join(', ')} />
        </Field>
      </Card>
      <Button type="submit" busy={isSaving} className="justify-self-start">
        {isSaving ? 'Saving...' : 'Save Settings'}
      </Button>
    </form>
  );
};

/** Changes the administrator's own password; the other sessions end. */
export const PasswordCard = () => {
  const showToast = useToast();
  const [isSaving, setSaving] = useState(false);
  const fail = (description: string) => showToast.error(description);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const newPassword = String(form.get('newPassword'));
    if (newPassword !== form.get('confirmation')) return fail('New passwords do not match');
    setSaving(true);
    try {
      await apiRequest(changePassword, { body: { currentPassword: String(form.get('currentPassword')), newPassword } });
      element.reset();
      showToast({ title: 'Success', description: 'Password changed successfully' });
    } catch (error) {
      fail(getErrorMessage(error, 'Failed to change password'));
    } finally {
      setSaving(false);
    }
  };

  return (
    <Card className="h-fit">
      <h2 className="card-heading">Admin security</h2>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-4">
        <Field label="Current password" required>
          <PasswordInput name="currentPassword" autoComplete="current-password" required />
        </Field>
        <Field label="New password" hint={`At least ${LIMITS.passwordMin} characters.`} required>
          <PasswordInput name="newPassword" autoComplete="new-password" minLength={LIMITS.passwordMin} required />
        </Field>
        <Field label="Confirm new password" required>
          <PasswordInput name="confirmation" autoComplete="new-password" minLength={LIMITS.passwordMin} required />
        </Field>
        <Button type="submit" busy={isSaving} className="justify-self-start">
          {isSaving ? 'Changing...' : 'Change Password'}
        </Button>
      </form>
    </Card>
  );
};

import { type FormEvent, useState } from 'react';
import { type Settings, updateSettings } from '../../../../contract/admin.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { NativeSelect } from '../../ui/native-select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';

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
export const SettingsForm = ({ settings, onSaved }: { settings: Settings; onSaved: (saved: Settings) => void }) => {
  const showToast = useToast();
  const [isSaving, setSaving] = useState(false);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaving(true);
    try {
      const saved = await call(updateSettings, { body: readForm(new FormData(event.currentTarget)) });
      onSaved(saved);
      showToast({ title: 'Success', description: 'Settings saved successfully' });
    } catch (error) {
      showToast({ title: 'Error', description: messageOf(error, 'Failed to save settings'), variant: 'destructive' });
    } finally {
      setSaving(false);
    }
  };

  return (
    <form onSubmit={handleSubmit} className="grid content-start gap-4">
      <Card className="grid gap-4">
        <h2 className="text-lg font-semibold">Platform settings</h2>
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
        <h2 className="text-lg font-semibold">Content moderation</h2>
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

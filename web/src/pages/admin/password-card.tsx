import { type FormEvent, useState } from 'react';
import { changePassword } from '../../../../contract/auth.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { PasswordInput } from './password-input.tsx';

/** Changes the administrator's own password; the other sessions end. */
export const PasswordCard = () => {
  const showToast = useToast();
  const [isSaving, setSaving] = useState(false);
  const fail = (description: string) => showToast({ title: 'Error', description, variant: 'destructive' });

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const newPassword = String(form.get('newPassword'));
    if (newPassword !== form.get('confirmation')) return fail('New passwords do not match');
    setSaving(true);
    try {
      await call(changePassword, { body: { currentPassword: String(form.get('currentPassword')), newPassword } });
      element.reset();
      showToast({ title: 'Success', description: 'Password changed successfully' });
    } catch (error) {
      fail(messageOf(error, 'Failed to change password'));
    } finally {
      setSaving(false);
    }
  };

  return (
    <Card className="h-fit">
      <h2 className="text-lg font-semibold">Admin security</h2>
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

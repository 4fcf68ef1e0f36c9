import type { AdminUser } from '../../../../contract/admin.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { sendNotice } from '../../../../contract/notifications.ts';
import type { Me } from '../../../../contract/user.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation } from '../../api/query.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { draftKey } from '../../lib/draft.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Textarea } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';

interface NoticeDialogProps {
  me: Me;
  /** The receiver; undefined for everyone. */
  user?: AdminUser;
  open: boolean;
  onClose: () => void;
}

/** Sends a notice to one person or to everyone. Unsent text stays in this tab. */
export const NoticeDialog = ({ open, onClose, ...form }: NoticeDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onClose}
    title={form.user ? `Message to ${form.user.displayName}` : 'Notice to everyone'}
    className="sm:max-w-lg"
  >
    {open ? <NoticeForm {...form} onClose={onClose} /> : null}
  </Dialog>
);

const NoticeForm = ({ me, user, onClose }: Omit<NoticeDialogProps, 'open'>) => {
  const toast = useToast();
  const send = useApiMutation(sendNotice);
  const apiForm = useApiForm({
    endpoint: sendNotice,
    saved: { title: '', body: '' },
    draft: { key: draftKey(me.id, `notice:${user?.id ?? 'everyone'}`), since: 'typed' },
  });
  const { form, submitRef, isSending } = apiForm;
  const { errors } = form.formState;
  const titleRoom = useCharacterCount(form.watch('title'), LIMITS.noticeTitle);
  const bodyRoom = useCharacterCount(form.watch('body'), LIMITS.noticeBody);

  const handleSubmit = apiForm.createSubmit({
    send: (values, { idempotencyKey }) =>
      send({ body: { ...values, ...(user && { userId: user.id }) }, idempotencyKey }),
    onSent: () => {
      toast({
        title: user ? 'Message sent' : 'Notice on its way',
        description: user
          ? `${user.displayName} finds it under Notifications.`
          : 'Everyone who is not banned gets it within a few minutes.',
      });
      onClose();
    },
    onRefused: (error) => toast.error(getErrorMessage(error, 'The message could not be sent. Please try again.')),
  });

  return (
    <form onSubmit={handleSubmit} className="grid gap-4">
      <p className="text-sm text-muted-foreground">
        {user
          ? 'It appears under Notifications, as a notice from the people who run this site. It cannot be answered.'
          : 'Everyone who is not banned gets it under Notifications. It cannot be taken back.'}
      </p>
      <Field label="Title" required {...(errors.title ? { error: errors.title.message } : titleRoom.field)}>
        <Input {...form.register('title')} />
      </Field>
      <Field label="Text" required {...(errors.body ? { error: errors.body.message } : bodyRoom.field)}>
        <Textarea rows={6} {...form.register('body')} />
      </Field>
      <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-end">
        {isSending ? 'Sending...' : user ? 'Send Message' : 'Send to Everyone'}
      </Button>
    </form>
  );
};

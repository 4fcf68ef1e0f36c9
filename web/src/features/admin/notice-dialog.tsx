import type { AdminUser } from '../../../../contract/admin.ts';
import { t } from '../../../../contract/i18n.ts';
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
    title={form.user ? t('people.messageTo', { name: form.user.displayName }) : t('people.noticeToAllTitle')}
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
        title: user ? t('people.messageSent') : t('people.noticeOnItsWay'),
        description: user ? t('people.messageSentText', { name: user.displayName }) : t('people.noticeSentText'),
      });
      onClose();
    },
    onRefused: (error) => toast.error(getErrorMessage(error, t('people.sendFailed'))),
  });

  return (
    <form onSubmit={handleSubmit} className="grid gap-4">
      <p className="text-sm text-muted-foreground">{user ? t('people.messageText') : t('people.noticeText')}</p>
      <Field
        label={t('people.noticeTitle')}
        required
        {...(errors.title ? { error: errors.title.message } : titleRoom.field)}
      >
        <Input {...form.register('title')} />
      </Field>
      <Field
        label={t('people.noticeBody')}
        required
        {...(errors.body ? { error: errors.body.message } : bodyRoom.field)}
      >
        <Textarea rows={6} {...form.register('body')} />
      </Field>
      <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-end">
        {isSending ? t('people.sending') : user ? t('people.sendMessage') : t('people.sendToEveryone')}
      </Button>
    </form>
  );
};

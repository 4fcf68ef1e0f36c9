import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '../../../../contract/passkeys.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { useSectionLink } from '../../hooks/use-section-link.ts';
import { formatDate, formatTimeAgo } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { Field, FormError, Input } from '../../ui/form-controls.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

/** The person's passkeys, with everything that they can do about them. */
export const Passkeys = () => {
  const list = useApiQuery(listPasskeys, {});
  const focusFallback = useFocusFallback<HTMLElement>();
  const headingRef = useSectionLink('passkeys', list.data !== undefined);
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby="passkeys" className="card grid gap-3">
      <h2 ref={headingRef} id="passkeys" tabIndex={-1} className="w-fit scroll-mt-24 card-heading">
        {t('passkeys.title')}
      </h2>
      <p className="text-sm text-muted-foreground">{t('passkeys.intro')}</p>
      <Query of={list} failure={t('passkeys.loadFailed')} size="line" loading={<SkeletonRegion boxes={['h-12']} />}>
        {(passkeys) =>
          passkeys.length === 0 ? null : (
            <ul className="divide-y divide-border">
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </Query>
      <AddButton />
    </section>
  );
};

const AddButton = () => {
  const toast = useToast();
  const begin = useApiMutation(beginPasskey);
  const add = useApiMutation(addPasskey);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const handleAdd = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { makeCredential, nameDevice } = await import('./browser-passkeys.ts');
      const made = await makeCredential(await begin({}));
      if ('problem' in made) setFailure(made.problem);
      else {
        await add({ body: { name: nameDevice(navigator.userAgent), credential: made.credential } });
        toast({ title: t('passkeys.added'), description: t('passkeys.signedOut') });
      }
    } catch (error) {
      setFailure(getErrorMessage(error, t('passkeys.addFailed')));
    }
    setBusy(false);
  };
  return (
    <>
      <FormError>{failure}</FormError>
      <Button variant="outline" className="w-fit" busy={isBusy} onClick={() => void handleAdd()}>
        {isBusy ? <Spinner /> : <KeyRound />} {t('passkeys.add')}
      </Button>
    </>
  );
};

const PasskeyRow = ({ passkey }: { passkey: Passkey }) => {
  const { id, name, createdAt, lastUsedAt } = passkey;
  const toast = useToast();
  const remove = useApiMutation(removePasskey);
  const { isBusy, run } = useAction();
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const handleOpenChange = () => setOpen(undefined);
  const handleRemove = async () => {
    const isDone = await run(() => remove({ params: { id } }), t('passkeys.removeFailed'));
    if (isDone)
      toast({
        title: t('passkeys.removed'),
        description: t('passkeys.removedText'),
      });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 grow basis-48 text-sm">
        <p dir="auto" className="w-fit font-medium wrap-anywhere">
          {name}
        </p>
        <p className="text-muted-foreground">
          {t('passkeys.state', {
            date: formatDate(createdAt),
            use: lastUsedAt ? t('passkeys.lastUsed', { time: formatTimeAgo(lastUsedAt) }) : t('passkeys.notUsed'),
          })}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          variant="outline"
          size="sm"
          aria-label={t('passkeys.renameName', { name })}
          onClick={() => setOpen('rename')}
        >
          {t('passkeys.rename')}
        </Button>
        <Button
          variant="outline"
          size="sm"
          busy={isBusy}
          aria-label={t('passkeys.removeName', { name })}
          onClick={() => setOpen('remove')}
        >
          {isBusy ? <Spinner /> : null} {t('passkeys.remove')}
        </Button>
      </div>
      <Dialog
        open={open === 'rename'}
        onOpenChange={handleOpenChange}
        title={t('passkeys.renameTitle')}
        className="sm:max-w-md"
      >
        <RenameForm passkey={passkey} onClose={handleOpenChange} />
      </Dialog>
      <AlertDialog
        open={open === 'remove'}
        onOpenChange={handleOpenChange}
        title={t('passkeys.removeQuestion')}
        text={t('passkeys.removeText', { name })}
        confirmLabel={t('passkeys.remove')}
        onConfirm={() => void handleRemove()}
      />
    </li>
  );
};

const RenameForm = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const rename = useApiMutation(renamePasskey);
  const apiForm = useApiForm({ endpoint: renamePasskey, saved: { name: passkey.name } });
  const { form, isSending } = apiForm;
  const submit = apiForm.createSubmit({
    send: (body) => rename({ params: { id: passkey.id }, body }),
    onSent: onClose,
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, t('passkeys.nameFailed'))),
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field
        label={t('passkeys.name')}
        required
        error={form.formState.errors.name?.message}
        hint={t('passkeys.nameHint')}
      >
        <Input autoComplete="off" disabled={isSending} {...form.register('name')} />
      </Field>
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {t('passkeys.save')}
      </DialogFormFooter>
    </form>
  );
};

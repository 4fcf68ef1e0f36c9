import { type FormEvent, useEffect, useState } from 'react';
import { t } from '../../../../../contract/i18n.ts';
import { useToast } from '../../../ui/toast/toast.tsx';
import type { Photos } from '../../photos/use-photos.ts';
import type { AdApiForm } from './ad-values.ts';

/** Submits at once, or as soon as the photos are uploaded. Refuses while one has failed. */
export const useSubmitAfterUploads = (
  { form, submitRef }: AdApiForm,
  photos: Photos,
  onSubmit: (event?: FormEvent) => unknown,
) => {
  const [isWaiting, setWaiting] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const toast = useToast();

  const submit = (event?: FormEvent) => {
    if (!photos.hasFailed) return onSubmit(event);
    photos.setError(t('post.notUploaded'));
    setRefusals((count) => count + 1);
    return toast.error(t('post.notUploaded'));
  };

  // once the error is shown, which may be above the screen
  useEffect(() => {
    if (refusals > 0) submitRef.current?.form?.querySelector<HTMLElement>('[data-error]')?.focus();
  }, [refusals, submitRef]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the last upload submits, with the functions of that render
  useEffect(() => {
    if (!isWaiting || photos.isWorking) return;
    setWaiting(false);
    submit();
  }, [isWaiting, photos.isWorking]);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isWaiting) return;
    if (!photos.isWorking) submit(event);
    else if (await form.trigger(undefined, { shouldFocus: true })) setWaiting(true);
  };
  return { isWaiting, handleSubmit };
};

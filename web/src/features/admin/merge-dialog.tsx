import { useState } from 'react';
import { type CountedCategory, mergeCategory } from '../../../../contract/admin-categories.ts';
import { t } from '../../../../contract/i18n.ts';
import { useApiMutation } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { Field, NativeSelect } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

interface MergeDialogProps {
  category: CountedCategory;
  all: readonly CountedCategory[];
  open: boolean;
  onClose: () => void;
}

/** Asks into which category another goes. It cannot be undone. */
export const MergeDialog = ({ category: { slug, name }, all, open, onClose }: MergeDialogProps) => {
  const toast = useToast();
  const merge = useApiMutation(mergeCategory);
  const { run } = useAction();
  const [into, setInto] = useState('');
  const target = all.find((other) => other.slug === into);
  const handleConfirm = () =>
    void run(async () => {
      const { ads } = await merge({ params: { slug }, body: { into } });
      toast({
        title: t('content.merged'),
        description: t('content.mergedText', { ads: t('list.countAds', { count: ads }), name: target?.name ?? into }),
      });
    }, t('content.mergeFailed'));
  return (
    <AlertDialog
      open={open}
      onOpenChange={onClose}
      title={t('content.askMerge', { name })}
      text={t('content.mergeText', { name })}
      confirmLabel={t('content.merge')}
      confirmDisabled={target === undefined}
      onConfirm={handleConfirm}
    >
      <Field label={t('content.into')}>
        <NativeSelect
          options={[
            ['', t('content.chooseCategory')] as const,
            ...all.filter((other) => other.slug !== slug).map((other) => [other.slug, other.name] as const),
          ]}
          value={into}
          onChange={(event) => setInto(event.target.value)}
        />
      </Field>
    </AlertDialog>
  );
};

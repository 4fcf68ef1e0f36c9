import { useState } from 'react';
import { type CountedCategory, mergeCategory } from '../../../../contract/admin-categories.ts';
import { pluralize } from '../../../../contract/plural.ts';
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
      toast({ title: 'Merged', description: `${pluralize(ads, 'ad')} moved to ${target?.name ?? into}.` });
    }, 'Failed to merge the category');
  return (
    <AlertDialog
      open={open}
      onOpenChange={onClose}
      title={`Merge ${name}?`}
      text={`Its ads and the saved searches for it move, links to it lead on, and ${name} is gone. This cannot be undone. Details that the other category does not have are lost when an ad is next edited.`}
      confirmLabel="Merge"
      confirmDisabled={target === undefined}
      onConfirm={handleConfirm}
    >
      <Field label="Into">
        <NativeSelect
          options={[
            ['', 'Choose a category'] as const,
            ...all.filter((other) => other.slug !== slug).map((other) => [other.slug, other.name] as const),
          ]}
          value={into}
          onChange={(event) => setInto(event.target.value)}
        />
      </Field>
    </AlertDialog>
  );
};

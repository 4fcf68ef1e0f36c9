import { useEffect, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { t } from '../../../../../contract/i18n.ts';
import { proposeCategory } from '../../../../../contract/search.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useFormValues } from '../../../api/use-form-values.ts';
import { useDebouncedValue } from '../../../hooks/use-debounced-value.ts';
import type { AdValues } from './ad-values.ts';

const PAUSE_MS = 400;
const MIN_LENGTH = 3;

/** Chooses the category that fits the title, until the person chooses one. */
export const CategoryProposal = () => {
  const form = useFormContext<AdValues>();
  const { setValue, getValues } = form;
  const [title, category] = useFormValues(form, 'title', 'category');
  const typed = useDebouncedValue(title.trim(), PAUSE_MS);
  const proposedRef = useRef('');
  const isOpen = category === '' || category === proposedRef.current;
  const { data } = useApiQuery(
    proposeCategory,
    isOpen && typed.length >= MIN_LENGTH ? { query: { title: typed } } : null,
  );
  const slug = data?.categorySlug;
  useEffect(() => {
    const now = getValues('category');
    if (!slug || (now !== '' && now !== proposedRef.current)) return;
    proposedRef.current = slug;
    setValue('category', slug, { shouldDirty: true, shouldValidate: true });
  }, [slug, getValues, setValue]);
  return (
    <p role="status" className="text-sm text-muted-foreground empty:hidden">
      {category !== '' && category === proposedRef.current ? t('post.proposedCategory') : null}
    </p>
  );
};

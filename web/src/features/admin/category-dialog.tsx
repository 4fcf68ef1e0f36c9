import {
  type AdminCategory,
  CATEGORY_LIMITS,
  changeCategory,
  createCategory,
} from '../../../../contract/admin-categories.ts';
import { CATEGORY_ICONS, type CategoryIcon as IconName, toEmoji } from '../../../../contract/category-icons.ts';
import { getLocale, t } from '../../../../contract/i18n.ts';
import { LANGUAGE_NAMES, type Language } from '../../../../contract/languages.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation } from '../../api/query.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field, Input, NativeSelect } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { CategoryIcon } from '../ads/category-icon.tsx';

interface CategoryDialogProps {
  /** The one to edit; without it, a new one. */
  category?: AdminCategory;
  /** What the reader sees it called. */
  name?: string;
  open: boolean;
  onClose: () => void;
}

export const CategoryDialog = ({ category, name = '', open, onClose }: CategoryDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onClose}
    title={category ? t('content.editName', { name }) : t('content.addCategoryTitle')}
    description={category ? t('content.editText') : t('content.addText')}
    className="sm:max-w-md"
  >
    {open ? <CategoryForm category={category} onClose={onClose} /> : null}
  </Dialog>
);

const listIcons = () =>
  CATEGORY_ICONS.map((name) => [name, t(`icon.name_${name}`)] as const).toSorted(([, one], [, other]) =>
    one.localeCompare(other, getLocale()),
  );

interface CategoryFormProps {
  category: AdminCategory | undefined;
  onClose: () => void;
}

interface CategoryValues {
  name: string;
  slug: string;
  icon: IconName | '';
  /** In each further language; empty where there is none of its own. */
  names: { language: Language; name: string }[];
}

/** An emoji without an icon stays as long as none is chosen. */
const toBody = ({ icon, ...values }: CategoryValues) => ({ ...values, ...(icon !== '' && { icon }) });

const CategoryForm = ({ category, onClose }: CategoryFormProps) => {
  const toast = useToast();
  const { languages } = useSiteConfig();
  const create = useApiMutation(createCategory);
  const change = useApiMutation(changeCategory);
  const saved: CategoryValues = {
    name: category?.name ?? '',
    slug: category?.slug ?? '',
    icon: category ? ((category.icon as IconName | null) ?? '') : 'package',
    names: languages.slice(1).map((language) => ({
      language,
      name: category?.names.find((one) => one.language === language)?.name ?? '',
    })),
  };
  const apiForm = useApiForm<CategoryValues>({ endpoint: changeCategory, toBody, saved });
  const { form } = apiForm;
  const { errors } = form.formState;
  const icon = form.watch('icon');

  const handleSubmit = apiForm.createSubmit({
    send: (values) =>
      category
        ? change({ params: { slug: category.slug }, body: { ...toBody(values), version: category.version } })
        : create({ body: { ...values, icon: values.icon || 'package' } }),
    onSent: ({ name }) => {
      toast({
        title: category ? t('content.saved') : t('content.addedCategory'),
        description: t('content.categorySavedText', { name }),
      });
      onClose();
    },
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, t('content.categorySaveFailed'))),
  });

  return (
    <form onSubmit={handleSubmit} className="grid gap-4">
      <Field label={t('content.name')} required error={errors.name?.message}>
        <Input maxLength={CATEGORY_LIMITS.name} autoComplete="off" {...form.register('name')} />
      </Field>
      {saved.names.map(({ language }, index) => (
        <Field
          key={language}
          label={t('content.nameIn', { language: LANGUAGE_NAMES[language] })}
          hint={t('content.nameInHint')}
          error={errors.names?.[index]?.name?.message}
        >
          <Input maxLength={CATEGORY_LIMITS.name} autoComplete="off" {...form.register(`names.${index}.name`)} />
        </Field>
      ))}
      <Field
        label={t('content.slug')}
        hint={category ? t('content.slugHint') : t('content.newSlugHint')}
        error={errors.slug?.message}
      >
        <Input
          maxLength={CATEGORY_LIMITS.slug}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register('slug', { setValueAs: (slug: string) => slug.trim().toLowerCase() })}
        />
      </Field>
      <div className="flex items-end gap-3">
        <Field label={t('content.icon')} className="min-w-0 grow">
          <NativeSelect
            options={[
              ...(icon === '' || category?.icon === null ? [['', t('content.asItIs')] as const] : []),
              ...listIcons(),
            ]}
            {...form.register('icon')}
          />
        </Field>
        <span className="grid size-11 place-items-center md:size-10">
          <CategoryIcon
            category={icon === '' ? { icon: null, emoji: category?.emoji ?? '' } : { icon, emoji: toEmoji(icon) }}
            className="size-6"
          />
        </span>
      </div>
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {category ? t('content.saveCategory') : t('content.addCategory')}
      </DialogFormFooter>
    </form>
  );
};

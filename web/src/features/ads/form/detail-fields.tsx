import { useFormContext } from 'react-hook-form';
import { type Attribute, getAttributes, labelField } from '../../../../../contract/attributes.ts';
import { t } from '../../../../../contract/i18n.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useFormValues } from '../../../api/use-form-values.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { Field, Input, NativeSelect } from '../../../ui/form-controls.tsx';
import type { AdValues } from './ad-values.ts';

/** The details of the chosen category. Those of other categories stay in the form, for a change back. */
export const DetailFields = ({ slug }: { slug: string }) => {
  const form = useFormContext<AdValues>();
  const { setValue, clearErrors, getValues, formState } = form;
  const [details] = useFormValues(form, 'details');
  const { distanceUnit } = useSiteConfig();
  const attributes = getAttributes(slug);
  if (attributes.length === 0) return null;
  const change = (key: string, value: string) => {
    setValue('details', { ...getValues('details'), [key]: value }, { shouldDirty: true });
    clearErrors(`details.${key}`);
  };
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {attributes.map((attribute) => (
        <Field
          key={attribute.key}
          label={labelField(attribute, distanceUnit)}
          error={formState.errors.details?.[attribute.key]?.message}
        >
          <DetailInput
            attribute={attribute}
            value={details[attribute.key] ?? ''}
            onChange={(value) => change(attribute.key, value)}
          />
        </Field>
      ))}
    </div>
  );
};

interface DetailInputProps {
  attribute: Attribute;
  value: string;
  onChange: (value: string) => void;
}

/** The other props are those by which Field connects its label and error. */
const DetailInput = ({ attribute, onChange, ...props }: DetailInputProps) => {
  const { type, options = {}, decimals = 0 } = attribute;
  if (type === 'choice')
    return (
      <NativeSelect
        {...props}
        options={[['', t('post.notStated')], ...Object.entries(options)]}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <Input
      {...props}
      autoComplete="off"
      maxLength={LIMITS.detail}
      {...(type === 'number' && { inputMode: decimals > 0 ? 'decimal' : 'numeric' })}
      onChange={(event) => onChange(event.target.value)}
    />
  );
};

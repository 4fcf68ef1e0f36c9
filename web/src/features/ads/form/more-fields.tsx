import { useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { CONDITIONS } from '../../../../../contract/conditions.ts';
import { labels, t } from '../../../../../contract/i18n.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { PRICE_RULES, type PriceType } from '../../../../../contract/prices.ts';
import { useSession } from '../../../api/session.ts';
import { useFormValues } from '../../../api/use-form-values.ts';
import { CheckField, Field, Input, NativeSelect } from '../../../ui/form-controls.tsx';
import { PlaceField } from '../../places/place-field.tsx';
import type { AdValues } from './ad-values.ts';
import { DetailFields } from './detail-fields.tsx';

export const MoreFields = ({ messagesLabel }: { messagesLabel: string }) => {
  const form = useFormContext<AdValues>();
  const { register } = form;
  const { errors } = form.formState;
  const { user } = useSession();
  const [slug] = useFormValues(form, 'category');
  return (
    <div className="grid grid-cols-1 gap-5 pt-4">
      <div className="grid gap-5 sm:grid-cols-2">
        <PriceTypeField />
        <Field label={t('post.condition')} error={errors.condition?.message}>
          <NativeSelect
            options={[['', t('post.notStated')], ...Object.entries(CONDITIONS)]}
            {...register('condition')}
          />
        </Field>
      </div>
      {slug ? <DetailFields slug={slug} /> : null}
      <LocationField />
      {user?.canLinkOut ? (
        <Field label={t('post.externalLink')} error={errors.externalLink?.message} hint={t('post.externalLinkHint')}>
          <Input
            type="url"
            inputMode="url"
            placeholder="https://"
            maxLength={LIMITS.externalLink}
            {...register('externalLink')}
          />
        </Field>
      ) : null}
      <CheckField {...register('allowMessages')}>{messagesLabel}</CheckField>
    </div>
  );
};

const PRICE_TYPE_LABELS = labels<PriceType>({
  fixed: 'post.kind_fixed',
  negotiable: 'post.kind_negotiable',
  free: 'post.kind_free',
  wanted: 'post.kind_wanted',
});

const PriceTypeField = () => {
  const { register, setValue, getValues, formState } = useFormContext<AdValues>();
  const typedRef = useRef('');
  const { errors } = formState;
  const priceType = register('priceType');
  const handleType = (next: PriceType) => {
    const wasFree = PRICE_RULES[getValues('priceType')].isFree;
    const willBeFree = PRICE_RULES[next].isFree;
    if (willBeFree && !wasFree) {
      typedRef.current = getValues('price');
      setValue('price', '0', { shouldDirty: true, shouldValidate: Boolean(errors.price) });
    }
    if (!willBeFree && wasFree) setValue('price', typedRef.current, { shouldDirty: true });
  };
  return (
    <Field label={t('post.kindOfPrice')} error={errors.priceType?.message}>
      <NativeSelect
        {...priceType}
        options={Object.entries(PRICE_TYPE_LABELS)}
        onChange={(event) => {
          handleType(event.target.value as PriceType);
          return priceType.onChange(event);
        }}
      />
    </Field>
  );
};

const LocationField = () => {
  const form = useFormContext<AdValues>();
  const { setValue } = form;
  const [location] = useFormValues(form, 'location');
  const { errors } = form.formState;
  return (
    <PlaceField
      label={t('post.location')}
      name="location"
      placeholder={t('post.locationPlaceholder')}
      hint={t('post.locationHint')}
      error={errors.location?.message ?? errors.placeId?.message}
      text={location}
      onChange={(text, place) => {
        setValue('location', text, { shouldDirty: true, shouldValidate: Boolean(errors.location) });
        setValue('placeId', place?.id ?? '', { shouldDirty: true, shouldValidate: Boolean(errors.placeId) });
      }}
    />
  );
};

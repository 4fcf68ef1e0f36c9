import { memo, useDeferredValue } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { parseAmount } from '../../../../../contract/amount.ts';
import { t } from '../../../../../contract/i18n.ts';
import type { PriceType } from '../../../../../contract/prices.ts';
import type { Me } from '../../../../../contract/user.ts';
import { useFormValues } from '../../../api/use-form-values.ts';
import { AdCard } from '../ad-card.tsx';
import { useCategories } from '../use-categories.ts';
import type { AdValues } from './ad-values.ts';

export interface CardPreviewProps {
  form: UseFormReturn<AdValues>;
  cover: string | null;
  user: Me;
}

/** It follows what is typed after the frame that shows that in its field. */
export const CardPreview = ({ form, cover, user }: CardPreviewProps) => {
  const values = useFormValues(form, 'title', 'price', 'priceType', 'category', 'location');
  return <Preview values={useDeferredValue(values)} cover={cover} user={user} />;
};

interface PreviewProps extends Omit<CardPreviewProps, 'form'> {
  values: readonly [title: string, price: string, priceType: PriceType, category: string, location: string];
}

const Preview = memo(({ values, cover, user }: PreviewProps) => {
  const [title, price, priceType, slug, location] = values;
  const category = useCategories().find((one) => one.slug === slug);
  const images = cover ? [{ url: cover, thumbUrl: cover, width: 400, height: 400, color: '' }] : [];
  return (
    <aside aria-labelledby="preview" className="hidden lg:block">
      <div className="sticky top-22 grid gap-3">
        <h2 id="preview" className="text-sm font-medium text-muted-foreground">
          {t('post.preview')}
        </h2>
        <AdCard
          preview
          ad={{
            id: '0',
            userId: user.id,
            title: title.trim() || t('post.yourTitle'),
            description: '',
            price: parseAmount(price) ?? '0',
            category: category?.name ?? t('post.category'),
            categorySlug: category?.slug ?? 'other',
            location: location.trim() || t('post.locationPlaceholder'),
            placeId: null,
            priceType,
            condition: null,
            details: {},
            imageUrls: [],
            images,
            externalLink: null,
            allowMessages: true,
            isActive: true,
            isSold: false,
            views: 0,
            createdAt: new Date().toISOString(),
            user,
          }}
        />
      </div>
    </aside>
  );
});

import { Frown, Meh, Smile } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import type { OwnRating, RatingValue } from '../../../../contract/ratings.ts';
import { Badge } from '../../ui/card.tsx';

export const RATING_LOOKS = {
  good: { icon: Smile, variant: 'success' },
  neutral: { icon: Meh, variant: 'neutral' },
  bad: { icon: Frown, variant: 'destructive' },
} as const satisfies Record<RatingValue, unknown>;

/** What a person wrote about a deal. */
export const RatingView = ({
  rating: { value, tags, text },
}: {
  rating: Pick<OwnRating, 'value' | 'tags' | 'text'>;
}) => {
  const { icon: Icon, variant } = RATING_LOOKS[value];
  return (
    <div className="grid gap-1.5">
      <ul className="flex flex-wrap gap-1.5">
        <li>
          <Badge variant={variant}>
            <Icon />
            {t(`deals.value_${value}`)}
          </Badge>
        </li>
        {tags.map((tag) => (
          <li key={tag}>
            <Badge>{t(`deals.tag_${tag}`)}</Badge>
          </li>
        ))}
      </ul>
      {text ? (
        <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-line">
          {text}
        </p>
      ) : null}
    </div>
  );
};

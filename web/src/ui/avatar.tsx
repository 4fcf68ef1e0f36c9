import { clsx as cn } from 'clsx';
import { BadgeCheck, Star } from 'lucide-react';
import { t } from '../../../contract/i18n.ts';
import { splitGraphemes } from '../../../contract/text.ts';
import type { User } from '../../../contract/user.ts';

const initialOf = (name: string): string => splitGraphemes(name.trim().slice(0, 50))[0] ?? '?';

export const Avatar = ({
  src,
  name,
  className,
}: {
  src?: string | null | undefined;
  name: string;
  className?: string;
}) => (
  <span
    data-slot="avatar"
    className={cn(
      'relative inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-accent font-semibold text-accent-foreground uppercase',
      className ?? 'size-10',
    )}
  >
    <span aria-hidden="true">{initialOf(name)}</span>
    {/* Covers the letter once it has loaded. */}
    {src ? (
      <img
        src={src}
        alt=""
        className="absolute inset-0 size-full object-cover"
        onError={({ currentTarget }) => {
          currentTarget.hidden = true;
        }}
        onLoad={({ currentTarget }) => {
          currentTarget.hidden = false;
        }}
      />
    ) : null}
  </span>
);

export const SellerBadges = ({ user }: { user: Pick<User, 'isVerified' | 'isPremium' | 'rating'> }) => (
  <>
    {user.isVerified ? (
      <span className="inline-flex shrink-0" title={t('list.checkedByX')}>
        <BadgeCheck className="size-4.5 fill-verified text-card" />
        <span className="sr-only">{t('list.checkedByX')}</span>
      </span>
    ) : null}
    {user.isPremium ? (
      <span className="inline-flex shrink-0" title={t('list.premium')}>
        <Star className="size-4 fill-premium text-premium" />
        <span className="sr-only">{t('list.premium')}</span>
      </span>
    ) : null}
    {user.rating ? (
      <span className="shrink-0 text-xs font-normal whitespace-nowrap text-muted-foreground">
        {t('list.deals', { count: user.rating.deals, positive: user.rating.positive })}
      </span>
    ) : null}
  </>
);

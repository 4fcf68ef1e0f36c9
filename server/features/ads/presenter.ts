import type { Ad, AdState } from '../../../contract/ads.ts';
import { padAmount } from '../../../contract/amount-rules.ts';
import { checkDetails } from '../../../contract/attributes.ts';
import { ENGLISH_TEXTS, speaking } from '../../../contract/i18n.ts';
import { toMediaUrl } from '../../../contract/image-variants.ts';
import { REPORT_REASONS } from '../../../contract/report-reasons.ts';
import type { ReportReason } from '../../../contract/reports.ts';
import { type Actor, isSelf, maySeeHidden } from '../../policy.ts';
import { presentImage } from '../images/presenter.ts';
import { presentUser } from '../users/presenter.ts';
import type { AdDetails } from './repository.ts';

const presentPerson = (row: AdDetails, id: string, prefix: 'seller_' | 'holder_') =>
  presentUser({
    id,
    username: row[`${prefix}username`],
    display_name: row[`${prefix}display_name`],
    avatar_sha256: row[`${prefix}avatar_sha256`],
    is_verified: row[`${prefix}is_verified`],
    is_premium: row[`${prefix}is_premium`],
    x_account_created: row[`${prefix}x_account_created`],
    created_at: row[`${prefix}created_at`],
    rated_deals: row[`${prefix}rated_deals`],
    rated_good: row[`${prefix}rated_good`],
    answer_minutes: row[`${prefix}answer_minutes`],
  });

const presentReservation = (row: AdDetails): Pick<Ad, 'reservedFor' | 'reservedUntil'> =>
  row.reserved_for === null || row.reserved_until === null
    ? {}
    : { reservedFor: presentPerson(row, row.reserved_for, 'holder_'), reservedUntil: row.reserved_until };

export const presentPublicAd = (row: AdDetails): Ad => ({
  id: row.id,
  userId: row.user_id,
  title: row.title,
  description: row.description,
  price: padAmount(row.price),
  ...(row.old_price !== null && { oldPrice: padAmount(row.old_price) }),
  category: row.category,
  categorySlug: row.category_slug,
  location: row.location,
  placeId: row.place_id,
  priceType: row.price_type,
  condition: row.condition,
  // a definition may have lost what the row still has
  details: checkDetails(row.category_slug, row.details).details,
  imageUrls: row.images.map((image) => toMediaUrl(image.sha256, 'full')),
  images: row.images.map(presentImage),
  // the row keeps the link of a seller who lost the permission; the response hides it
  externalLink: row.seller_can_link_out ? row.external_link : null,
  allowMessages: row.allow_messages,
  isActive: row.state === 'active',
  isSold: row.is_sold,
  ...(row.reserved_for !== null && { isReserved: true }),
  views: Number(row.views),
  createdAt: row.created_at,
  user: presentPerson(row, row.user_id, 'seller_'),
});

/** The English words of the code. A release that knows no codes may have stored others since. */
const sayReason = (code: ReportReason): string => speaking(ENGLISH_TEXTS, () => REPORT_REASONS[code]);

export const presentPrivateAd = (row: AdDetails): Ad => ({
  ...presentPublicAd(row),
  state: row.state as AdState,
  stateReason: row.state_reason,
  ...(row.state_reason_code &&
    sayReason(row.state_reason_code) === row.state_reason && { stateReasonCode: row.state_reason_code }),
  expiresAt: row.expires_at,
  version: row.updated_at,
  ...presentReservation(row),
});

export const presentAd = (row: AdDetails, actor: Actor): Ad =>
  maySeeHidden(actor, row.user_id)
    ? presentPrivateAd(row)
    : {
        ...presentPublicAd(row),
        ...(row.reserved_for !== null && isSelf(actor, row.reserved_for) && presentReservation(row)),
      };

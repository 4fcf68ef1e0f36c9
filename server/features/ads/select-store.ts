import type { AdRow, UserRow } from '../../db/tables.ts';

export interface AdImageJson {
  sha256: string;
  width: number;
  height: number;
  color: string;
}

type Prefixed<Row, Prefix extends string> = { [K in keyof Row & string as `${Prefix}${K}`]: Row[K] };
type Seller = Pick<
  UserRow,
  | 'username'
  | 'display_name'
  | 'avatar'
  | 'is_verified'
  | 'is_premium'
  | 'x_account_created'
  | 'created_at'
  | 'can_link_out'
>;

/** An ad with what every answer shows of it: seller, category, pictures, views. */
export interface AdDetails extends AdRow, Prefixed<Seller, 'seller_'> {
  category: string;
  category_slug: string;
  images: AdImageJson[];
  views: string;
}

// Every column is named: tsv (480 bytes on average) must not travel.
const AD_COLUMNS = `a.id, a.user_id, a.category_id, a.title, a.description, a.price, a.location, a.external_link,
  a.allow_messages, a.state, a.state_reason, a.is_approved, a.taken_down, a.is_sold, a.sold_at, a.sold_listed_until,
  a.expires_at, a.seller_banned, a.listed, a.created_at, a.updated_at, a.deleted_at`;

const IMAGES = `coalesce((
  select json_agg(json_build_object('sha256', encode(i.sha256, 'hex'), 'width', i.width, 'height', i.height, 'color', i.color)
    order by ai.position)
  from ad_images ai join images i using (sha256) where ai.ad_id = a.id), '[]')`;

/** `select … from ads a …` as AdDetails; conditions, order and limit follow. */
export const SELECT_ADS = `select ${AD_COLUMNS},
  c.name as category, c.slug as category_slug, coalesce(v.views, 0) as views, ${IMAGES} as images,
  u.username as seller_username, u.display_name as seller_display_name, u.avatar as seller_avatar,
  u.is_verified as seller_is_verified, u.is_premium as seller_is_premium,
  u.x_account_created as seller_x_account_created, u.created_at as seller_created_at,
  u.can_link_out as seller_can_link_out
from ads a
join users u on u.id = a.user_id
join categories c on c.id = a.category_id
left join ad_views v on v.ad_id = a.id`;

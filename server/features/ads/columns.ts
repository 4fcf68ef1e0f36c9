import { createHash } from 'node:crypto';
import { getMoney } from '../../../contract/money.ts';
import type { AdRow } from '../../db/rows.ts';

type Value = AdRow[keyof AdRow];

interface ColumnDecision {
  /** Who sees the column in an ad's JSON: everyone who may open the page, the owner and staff, or no one. */
  shown: 'public' | 'private' | 'never';
  /** Whether staff see it in the copy of a reported ad. */
  copied: boolean;
  exported: boolean;
  /**
   * Whether the column is content of the ad, which its owner writes and others see. Moderation judges, holds, clears and
   * compares the content as a whole, and searches its texts for banned words.
   */
  content: 'text' | 'value' | false;
  tombstone: 'keep' | { value: Value };
}

/**
 * How each column of `ads` is used. A new column does not compile until every property is set here; columns.test.ts
 * and columns.db.test.ts check presenters, copies, export and deletion against this table.
 */
export const AD_COLUMNS = {
  id: { shown: 'public', copied: false, exported: true, content: false, tombstone: 'keep' },
  // conversations about a deleted ad refer to its seller
  user_id: { shown: 'public', copied: false, exported: false, content: false, tombstone: 'keep' },
  category_id: { shown: 'never', copied: false, exported: false, content: 'value', tombstone: 'keep' },
  title: { shown: 'public', copied: true, exported: true, content: 'text', tombstone: { value: '' } },
  description: { shown: 'public', copied: true, exported: true, content: 'text', tombstone: { value: '' } },
  price: { shown: 'public', copied: true, exported: true, content: 'value', tombstone: { value: '0.00' } },
  location: { shown: 'public', copied: true, exported: true, content: 'text', tombstone: { value: null } },
  place_id: { shown: 'public', copied: false, exported: true, content: 'value', tombstone: { value: null } },
  price_type: { shown: 'public', copied: true, exported: true, content: 'value', tombstone: { value: 'fixed' } },
  condition: { shown: 'public', copied: true, exported: true, content: 'value', tombstone: { value: null } },
  details: { shown: 'public', copied: true, exported: true, content: 'text', tombstone: { value: {} } },
  has_photos: { shown: 'never', copied: false, exported: false, content: false, tombstone: { value: false } },
  external_link: { shown: 'public', copied: true, exported: true, content: 'text', tombstone: { value: null } },
  allow_messages: { shown: 'public', copied: false, exported: true, content: false, tombstone: { value: false } },
  moderation: { shown: 'never', copied: false, exported: false, content: false, tombstone: 'keep' },
  state: { shown: 'private', copied: true, exported: true, content: false, tombstone: { value: 'deleted' } },
  state_reason: { shown: 'private', copied: false, exported: true, content: false, tombstone: { value: null } },
  state_reason_code: { shown: 'private', copied: false, exported: true, content: false, tombstone: { value: null } },
  is_approved: { shown: 'never', copied: false, exported: false, content: false, tombstone: 'keep' },
  taken_down: { shown: 'never', copied: false, exported: false, content: false, tombstone: 'keep' },
  is_paused: { shown: 'never', copied: false, exported: false, content: false, tombstone: { value: false } },
  is_sold: { shown: 'public', copied: false, exported: true, content: false, tombstone: { value: false } },
  sold_at: { shown: 'never', copied: false, exported: true, content: false, tombstone: { value: null } },
  sold_listed_until: { shown: 'never', copied: false, exported: false, content: false, tombstone: { value: null } },
  expires_at: { shown: 'private', copied: false, exported: true, content: false, tombstone: 'keep' },
  seller_banned: { shown: 'never', copied: false, exported: false, content: false, tombstone: 'keep' },
  listed: { shown: 'never', copied: false, exported: false, content: false, tombstone: 'keep' },
  created_at: { shown: 'public', copied: false, exported: true, content: false, tombstone: 'keep' },
  updated_at: { shown: 'private', copied: false, exported: true, content: false, tombstone: 'keep' },
  deleted_at: { shown: 'never', copied: false, exported: false, content: false, tombstone: 'keep' },
} as const satisfies { [Column in keyof AdRow]: ColumnDecision };

type Decisions = typeof AD_COLUMNS;
type ColumnsWith<C extends ColumnDecision['content']> = {
  [Column in keyof Decisions]: Decisions[Column]['content'] extends C ? Column : never;
}[keyof Decisions];

/** What the site writes. */
type SiteColumn =
  | (
      | 'id'
      | 'user_id'
      | 'has_photos'
      | 'is_paused'
      | 'is_sold'
      | 'sold_at'
      | 'sold_listed_until'
      | 'expires_at'
      | 'seller_banned'
    )
  | (
      | 'moderation'
      | 'state'
      | 'state_reason'
      | 'state_reason_code'
      | 'is_approved'
      | 'taken_down'
      | 'listed'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
    );
/** What the seller writes: `toColumns` in service.ts does not compile until it sets every other column. */
export type SellerColumns = Omit<AdRow, SiteColumn>;

export const AD_COLUMN_NAMES = Object.keys(AD_COLUMNS) as (keyof AdRow)[];

const listColumns = <C extends 'text' | 'value'>(content: C) =>
  AD_COLUMN_NAMES.filter((name) => AD_COLUMNS[name].content === content) as ColumnsWith<C>[];
const TEXTS = listColumns('text');
const VALUES = listColumns('value');

export type AdTexts = Pick<AdRow, ColumnsWith<'text'>>;

/** The columns of an ad that are its content; its photos belong to it too. */
export type AdContent = Pick<AdRow, ColumnsWith<'text' | 'value'>>;

/** Those of details are sorted: PostgreSQL has its own order of their keys. */
const toText = (value: Value): string =>
  value !== null && typeof value === 'object' ? JSON.stringify(Object.entries(value).sort()) : String(value ?? '');

/** The texts in which moderation looks for banned words. */
export const listTexts = (ad: AdTexts): string[] =>
  TEXTS.flatMap((column) => {
    const value = ad[column];
    return value !== null && typeof value === 'object' ? Object.values(value).map(String) : (value ?? '');
  });

/** Names the content of an ad: two are equal if, and only if, people see the same ad. `images`: SHA-256, in any order. */
export const hashContent = (
  ad: AdContent,
  images: readonly string[],
  decimals = getMoney().currency.decimals,
): Buffer => {
  const values = VALUES.map((column) => (column === 'price' ? Number(ad.price).toFixed(decimals) : toText(ad[column])));
  return createHash('sha256')
    .update(JSON.stringify([TEXTS.map((column) => toText(ad[column])), values, [...images].sort()]))
    .digest();
};

export const TOMBSTONE = Object.fromEntries(
  AD_COLUMN_NAMES.flatMap((name) => {
    const { tombstone } = AD_COLUMNS[name];
    return tombstone === 'keep' ? [] : [[name, tombstone.value]];
  }),
) as Partial<AdRow>;

import type { AdRow } from '../../db/rows.ts';

type Value = AdRow[keyof AdRow];

interface ColumnDecision {
  /** Who sees the column in an ad's JSON: everyone who may open the page, the owner and staff, or no one. */
  shown: 'public' | 'private' | 'never';
  /** Whether staff see it in the copy of a reported ad. */
  copied: boolean;
  exported: boolean;
  /** Whether moderation searches the column for banned words and checks it again after an edit. */
  judged: boolean;
  tombstone: 'keep' | { value: Value };
}

/**
 * How each column of `ads` is used. A new column does not compile until every property is set here; columns.test.ts
 * and columns.db.test.ts check presenters, copies, export and deletion against this table.
 */
export const AD_COLUMNS = {
  id: { shown: 'public', copied: false, exported: true, judged: false, tombstone: 'keep' },
  // conversations about a deleted ad refer to its seller
  user_id: { shown: 'public', copied: false, exported: false, judged: false, tombstone: 'keep' },
  category_id: { shown: 'never', copied: false, exported: false, judged: false, tombstone: 'keep' },
  title: { shown: 'public', copied: true, exported: true, judged: true, tombstone: { value: '' } },
  description: { shown: 'public', copied: true, exported: true, judged: true, tombstone: { value: '' } },
  price: { shown: 'public', copied: true, exported: true, judged: false, tombstone: { value: '0.00' } },
  location: { shown: 'public', copied: true, exported: true, judged: true, tombstone: { value: null } },
  place_id: { shown: 'public', copied: false, exported: true, judged: false, tombstone: { value: null } },
  price_type: { shown: 'public', copied: true, exported: true, judged: false, tombstone: { value: 'fixed' } },
  condition: { shown: 'public', copied: false, exported: true, judged: false, tombstone: { value: null } },
  details: { shown: 'public', copied: true, exported: true, judged: true, tombstone: { value: {} } },
  has_photos: { shown: 'never', copied: false, exported: false, judged: false, tombstone: { value: false } },
  external_link: { shown: 'public', copied: true, exported: true, judged: false, tombstone: { value: null } },
  allow_messages: { shown: 'public', copied: false, exported: true, judged: false, tombstone: { value: false } },
  state: { shown: 'private', copied: true, exported: true, judged: false, tombstone: { value: 'deleted' } },
  state_reason: { shown: 'private', copied: false, exported: true, judged: false, tombstone: { value: null } },
  is_approved: { shown: 'never', copied: false, exported: false, judged: false, tombstone: 'keep' },
  taken_down: { shown: 'never', copied: false, exported: false, judged: false, tombstone: 'keep' },
  is_sold: { shown: 'public', copied: false, exported: true, judged: false, tombstone: { value: false } },
  sold_at: { shown: 'never', copied: false, exported: true, judged: false, tombstone: { value: null } },
  sold_listed_until: { shown: 'never', copied: false, exported: false, judged: false, tombstone: { value: null } },
  expires_at: { shown: 'private', copied: false, exported: true, judged: false, tombstone: 'keep' },
  seller_banned: { shown: 'never', copied: false, exported: false, judged: false, tombstone: 'keep' },
  listed: { shown: 'never', copied: false, exported: false, judged: false, tombstone: 'keep' },
  created_at: { shown: 'public', copied: false, exported: true, judged: false, tombstone: 'keep' },
  updated_at: { shown: 'private', copied: false, exported: true, judged: false, tombstone: 'keep' },
  deleted_at: { shown: 'never', copied: false, exported: false, judged: false, tombstone: 'keep' },
} as const satisfies { [Column in keyof AdRow]: ColumnDecision };

type Decisions = typeof AD_COLUMNS;
type Judged = {
  [Column in keyof Decisions]: Decisions[Column]['judged'] extends true ? Column : never;
}[keyof Decisions];

/** What the site writes. */
type SiteColumn =
  | ('id' | 'user_id' | 'has_photos' | 'is_sold' | 'sold_at' | 'sold_listed_until' | 'expires_at' | 'seller_banned')
  | ('state' | 'state_reason' | 'is_approved' | 'taken_down' | 'listed' | 'created_at' | 'updated_at' | 'deleted_at');
/** What the seller writes: `toColumns` in service.ts does not compile until it sets every other column. */
export type SellerColumns = Omit<AdRow, SiteColumn>;

export const AD_COLUMN_NAMES = Object.keys(AD_COLUMNS) as (keyof AdRow)[];

const JUDGED_COLUMNS = AD_COLUMN_NAMES.filter((name) => AD_COLUMNS[name].judged) as Judged[];

export type JudgedText = Pick<AdRow, Judged>;

/** The texts that moderation reads. Those of details are sorted: PostgreSQL has its own order of their keys. */
export const listJudgedTexts = (ad: JudgedText): string[] =>
  JUDGED_COLUMNS.flatMap((column) => {
    const value = ad[column];
    return value !== null && typeof value === 'object' ? Object.values(value).map(String).sort() : (value ?? '');
  });

export const TOMBSTONE = Object.fromEntries(
  AD_COLUMN_NAMES.flatMap((name) => {
    const { tombstone } = AD_COLUMNS[name];
    return tombstone === 'keep' ? [] : [[name, tombstone.value]];
  }),
) as Partial<AdRow>;

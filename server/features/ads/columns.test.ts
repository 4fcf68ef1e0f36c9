import { expect, test } from 'vitest';
import type { AdRow } from '../../db/rows.ts';
import type { UserActor } from '../../policy.ts';
import { presentFavorite } from '../favorites/presenter.ts';
import { snapshotAd } from '../reports/snapshot.ts';
import { AD_COLUMN_NAMES, AD_COLUMNS, hashContent, listTexts } from './columns.ts';
import { presentPrivateAd, presentPublicAd } from './presenter.ts';
import type { AdDetails } from './repository.ts';

const ad: AdDetails = {
  id: '1',
  user_id: '2',
  category_id: 3,
  title: 'Kettle',
  description: 'Boils water',
  price: '4.00',
  location: 'Lyon',
  place_id: '2996944',
  price_type: 'fixed',
  condition: 'good',
  details: { brand: 'Bosch' },
  has_photos: false,
  external_link: 'https://shop.example/5',
  allow_messages: true,
  moderation: 'removed',
  state: 'inactive',
  state_reason: 'Scam or fraud',
  state_reason_code: 'scam',
  is_approved: true,
  taken_down: false,
  is_paused: false,
  is_sold: false,
  sold_at: '2026-01-07',
  sold_listed_until: '2026-01-08',
  expires_at: '2026-01-09',
  seller_banned: false,
  listed: false,
  created_at: '2026-01-10',
  updated_at: '2026-01-11',
  deleted_at: null,
  category: 'Appliances',
  category_slug: 'appliances',
  images: [],
  views: '12',
  old_price: null,
  holder_username: null,
  holder_display_name: '',
  holder_avatar_sha256: null,
  holder_is_verified: false,
  holder_is_premium: false,
  holder_x_account_created: null,
  holder_created_at: '',
  holder_rated_deals: 0,
  holder_rated_good: 0,
  holder_answer_minutes: null,
  reserved_for: null,
  reserved_until: null,
  seller_username: 'seller',
  seller_display_name: 'Seller',
  seller_avatar_sha256: null,
  seller_is_verified: false,
  seller_is_premium: false,
  seller_x_account_created: null,
  seller_created_at: '2026-01-13',
  seller_can_link_out: true,
  seller_rated_deals: 3,
  seller_rated_good: 2,
  seller_answer_minutes: 30,
};

/** Every column with another value. */
const changed: AdRow = {
  id: '101',
  user_id: '102',
  category_id: 103,
  title: 'Other',
  description: 'Other',
  price: '104.00',
  location: 'Ghent',
  place_id: '2797656',
  price_type: 'wanted',
  condition: 'new',
  details: { brand: 'Miele' },
  has_photos: true,
  external_link: 'https://shop.example/105',
  allow_messages: false,
  moderation: 'clear',
  state: 'pending',
  state_reason: 'Offensive',
  state_reason_code: 'offensive',
  is_approved: false,
  taken_down: true,
  is_paused: false,
  is_sold: true,
  sold_at: '2027-01-07',
  sold_listed_until: '2027-01-08',
  expires_at: '2027-01-09',
  seller_banned: true,
  listed: true,
  created_at: '2027-01-10',
  updated_at: '2027-01-11',
  deleted_at: '2027-01-12',
};

const listColumnsShownBy = (present: (row: AdDetails) => unknown) =>
  AD_COLUMN_NAMES.filter(
    (name) => JSON.stringify(present({ ...ad, [name]: changed[name] })) !== JSON.stringify(present(ad)),
  );
const listColumns = (shown: readonly string[]) =>
  AD_COLUMN_NAMES.filter((name) => shown.includes(AD_COLUMNS[name].shown));

test('everyone sees the public columns of an ad and no others', () => {
  expect(listColumnsShownBy(presentPublicAd)).toEqual(listColumns(['public']));
});

test('the owner and administrators see the private columns too', () => {
  expect(listColumnsShownBy(presentPrivateAd)).toEqual(listColumns(['public', 'private']));
});

test('an ad that left public view shows four columns to those who saved it', () => {
  const saver: UserActor = { kind: 'user', id: '3', role: 'user' };
  const shown = listColumnsShownBy((row) => presentFavorite(row, saver));
  expect(shown).toEqual(['id', 'title', 'is_sold', 'created_at']);
});

test('staff see the copied columns of a reported ad and no others', () => {
  // the fingerprint of the copy, which a clearance compares, is not shown
  const shown = listColumnsShownBy((row) => ({ ...snapshotAd(row), content: null }));
  expect(shown).toEqual(AD_COLUMN_NAMES.filter((name) => AD_COLUMNS[name].copied));
});

test('the content of an ad is what its owner writes and others see, with its photos in any order', () => {
  const content = hashContent(ad, ['a', 'b']);
  expect(hashContent({ ...ad, price: '4' }, ['b', 'a'])).toEqual(content);
  expect(hashContent({ ...ad, details: { size: 'L', brand: 'Bosch' } }, [])).toEqual(
    hashContent({ ...ad, details: { brand: 'Bosch', size: 'L' } }, []),
  );
  expect(hashContent(ad, ['a'])).not.toEqual(content);
  expect(hashContent({ ...ad, title: 'KettleBoils', description: 'water' }, ['a', 'b'])).not.toEqual(content);
  const changing = AD_COLUMN_NAMES.filter(
    (name) => !hashContent({ ...ad, [name]: changed[name] }, ['a', 'b']).equals(content),
  );
  expect(changing).toEqual(AD_COLUMN_NAMES.filter((name) => AD_COLUMNS[name].content));
});

test('every public column that the owner writes is content, apart from whether they take messages', () => {
  // the site writes these
  const own = ['id', 'user_id', 'is_sold', 'created_at'];
  const shown = AD_COLUMN_NAMES.filter((name) => AD_COLUMNS[name].shown === 'public' && !own.includes(name));
  expect(shown.filter((name) => !AD_COLUMNS[name].content)).toEqual(['allow_messages']);
});

test('banned words are looked for in every text, the link too', () => {
  expect(listTexts(ad)).toEqual(['Kettle', 'Boils water', 'Lyon', 'Bosch', 'https://shop.example/5']);
});

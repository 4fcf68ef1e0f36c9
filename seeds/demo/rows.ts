import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { PhotoKind } from '../photos.ts';
import type { createGenerator, DemoOptions } from './generator.ts';
import { THINGS } from './things.ts';

type Rows = Generator<CopyValue[]>;
interface AdNote {
  seller: number;
  category: string;
  photos: number;
  views: number;
}

export interface Plan extends DemoOptions {
  generator: ReturnType<typeof createGenerator>;
  now: number;
  /** SHA-256 of the stored images, in hex. */
  images: Record<PhotoKind, string[]>;
  categoryIds: Map<string, number>;
  firstUser: number;
  firstAd: number;
  conversations: number;
  firstConversation: number;
  firstMessage: number;
  /** Written by adRows and read by the other generators. */
  adNotes: AdNote[];
}

const DAY = 86_400_000;
export const MESSAGES = [
  'Hi! Is this still available?',
  'Yes, it is.',
  'Could you do a little less?',
  'Come and have a look on Saturday.',
];

const daysAgo = (plan: Plan, days: number) => new Date(plan.now - days * DAY).toISOString();

/** Invented X ids start above all real ones. */
const DEMO_X_ID = 9_900_000_000_000_000_000n;

export function* userRows(plan: Plan): Rows {
  for (let i = 0; i < plan.sellers; i++) {
    const { displayName, isVerified, isPremium, createdDaysAgo } = plan.generator.seller(i);
    const id = plan.firstUser + i;
    yield [
      id,
      String(DEMO_X_ID + BigInt(id)),
      `demo_${id}`,
      displayName,
      isVerified,
      isPremium,
      daysAgo(plan, createdDaysAgo),
    ];
  }
}

export function* adRows(plan: Plan): Rows {
  for (let i = 0; i < plan.ads; i++) {
    const ad = plan.generator.ad(i);
    const { seller, category, photos, views } = ad;
    plan.adNotes.push({ seller, category, photos, views });
    const created = daysAgo(plan, ad.daysAgo);
    const soldDays = ad.isSold ? ad.daysAgo * plan.generator.random() : null;
    const sold = soldDays === null ? [null, null] : [daysAgo(plan, soldDays), daysAgo(plan, soldDays - 7)];
    const state = ad.isActive ? 'active' : 'inactive';
    yield [
      plan.firstAd + i,
      plan.firstUser + seller,
      plan.categoryIds.get(category)!,
      ad.title,
      ad.description,
      ad.price,
      ad.priceType,
      ad.condition,
      JSON.stringify(ad.details),
      ad.location,
      ad.placeId,
      photos > 0,
      state,
      ad.isSold,
      ...sold,
      daysAgo(plan, ad.daysAgo - 30),
      created,
      created,
    ];
  }
}

export function* adImageRows(plan: Plan): Rows {
  for (const [i, { category, photos }] of plan.adNotes.entries()) {
    const images = plan.images[(THINGS[category] ?? THINGS.other!).photos];
    for (let position = 0; position < photos; position++)
      yield [plan.firstAd + i, position, `\\x${images[(i + position) % images.length]}`];
  }
}

export function* viewRows(plan: Plan): Rows {
  for (const [i, { views }] of plan.adNotes.entries()) if (views > 0) yield [plan.firstAd + i, views];
}

export function* favoriteRows(plan: Plan): Rows {
  for (let i = 0; i < plan.ads; i += 5) yield [plan.firstUser + other(plan, i), plan.firstAd + i, daysAgo(plan, 0)];
}

const other = (plan: Plan, i: number) => (plan.adNotes[i]!.seller + 1 + (i % (plan.sellers - 1))) % plan.sellers;
const adOf = (conversation: number) => conversation * 50;

export function* conversationRows(plan: Plan): Rows {
  for (let c = 0; c < plan.conversations; c++) {
    const i = adOf(c);
    const people = [plan.firstUser + plan.adNotes[i]!.seller, plan.firstUser + other(plan, i)];
    const last = plan.firstMessage + c * MESSAGES.length + MESSAGES.length - 1;
    yield [plan.firstConversation + c, plan.firstAd + i, ...people, last, MESSAGES.length, daysAgo(plan, 1)];
  }
}

/** The buyer writes first. The last message is unread. */
export function* messageRows(plan: Plan): Rows {
  for (let c = 0; c < plan.conversations; c++) {
    const i = adOf(c);
    const seller = plan.firstUser + plan.adNotes[i]!.seller;
    const buyer = plan.firstUser + other(plan, i);
    for (const [m, content] of MESSAGES.entries()) {
      const id = plan.firstMessage + c * MESSAGES.length + m;
      const people = m % 2 === 0 ? [buyer, seller] : [seller, buyer];
      const isRead = m < MESSAGES.length - 1;
      yield [id, plan.firstConversation + c, plan.firstAd + i, ...people, content, isRead, daysAgo(plan, 1 - m / 24)];
    }
  }
}

export type CopyValue = string | number | boolean | null;

/** Rows per COPY statement. The triggers keep all rows of a statement in memory. */
const CHUNK = 20_000;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const toField = (value: CopyValue): string =>
  value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (character) => ESCAPES[character]!);

export async function copyRows(client: Client, target: string, rows: Iterable<CopyValue[]>): Promise<void> {
  const source = rows[Symbol.iterator]();
  for (let lines: string[]; ; ) {
    lines = [];
    for (let next = source.next(); !next.done; next = source.next()) {
      lines.push(`${next.value.map(toField).join('\t')}\n`);
      if (lines.length === CHUNK) break;
    }
    if (lines.length > 0)
      await pipeline(Readable.from([lines.join('')]), client.query(copyFrom(`copy ${target} from stdin`)));
    if (lines.length < CHUNK) return;
  }
}

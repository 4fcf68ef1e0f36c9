// What the clients of the drill know about their writes: which ones the marketplace acknowledged, and which may have happened.
import type { EndpointSpec } from '../../contract/endpoint.ts';
import type { OfferStatus } from '../../contract/messages.ts';

/**
 * `refused`: the write did not happen. `unknown`: an error, a cut connection or no response in time; it may have happened,
 * or may still happen.
 */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** The moments are steps of the ledger's clock, in the order in which the drill's process saw them. */
export interface Span {
  sentAt: number;
  /** When the response came. Infinity: a write that may happen at any later time. */
  endedAt: number;
}

export interface Change<V> extends Span {
  value: V;
  outcome: 'acknowledged' | 'unknown';
}

/** The values that may be stored after these changes: all but those that a later, acknowledged change has replaced. */
export const listPossible = <V>(changes: readonly Change<V>[]): V[] =>
  changes
    .filter(({ endedAt }) => !changes.some((later) => later.outcome === 'acknowledged' && later.sentAt > endedAt))
    .map(({ value }) => value);

const BEFORE: Span = { sentAt: 0, endedAt: 0 };
const begin = <V>(value: V): Change<V>[] => [{ ...BEFORE, value, outcome: 'acknowledged' }];

export interface Person {
  id: string;
  name: string;
  cookie: string;
}

/** A write with an idempotency key, sent until it was acknowledged or its client gave up. */
export interface KeyedWrite {
  by: Person;
  spec: EndpointSpec;
  options: { params?: object; body?: object };
  key: string;
  outcome: Outcome;
  /** The `id` of the response. */
  id?: string | undefined;
  /** Called once, with the first response that acknowledges it. */
  onAcknowledged(sent: Span & { body: { [key: string]: unknown } }): void;
}

export interface AdContent {
  title: string;
  description: string;
  price: string;
  imageCount: number;
}

export interface AdRecord {
  number: number;
  write: KeyedWrite;
  seller: Person;
  isNegotiable: boolean;
  contents: Change<AdContent>[];
  isSold: Change<boolean>[];
  buyerId: Change<string | null>[];
  /** For whom the ad is reserved. */
  holderId: Change<string | null>[];
  deletions: Change<true>[];
  /** As last read or acknowledged; undefined if the client has to read it first. */
  latest?: { version: string; imageUrls: string[] } | undefined;
}

export interface MessageRecord {
  write: KeyedWrite;
  ad: AdRecord;
  buyer: Person;
  to: Person;
  content: string;
  readings: Change<true>[];
}

export interface OfferRecord {
  write: KeyedWrite;
  ad: AdRecord;
  buyer: Person;
  to: Person;
  /** Unique in the ledger. */
  amount: string;
  /** The id of the offer; `write.id` is that of its message. */
  id?: string | undefined;
  /** When the response came. */
  madeAt?: number;
  settlements: Change<OfferStatus>[];
}

/** The toggles of one person and ad: what the acknowledged ones did, and how many have an unknown outcome. */
export interface FavoriteRecord {
  by: Person;
  ad: AdRecord;
  saved: number;
  removed: number;
  unknown: number;
}

/** `wrong`: neither lost nor doubled, but not as it must be. */
export interface Problem {
  kind: 'lost' | 'doubled' | 'wrong';
  what: string;
}

export interface Ledger {
  /** The next step of the clock. */
  tick(): number;
  /** A number that nothing else in the ledger has. */
  nextNumber(): number;
  ads: AdRecord[];
  messages: MessageRecord[];
  offers: OfferRecord[];
  favorites: Map<string, FavoriteRecord>;
  /** What clients saw go wrong while the faults happened. */
  problems: Problem[];
  counts: Record<Outcome, number> & { repeated: number };
  /** How often each error code was the response. */
  errors: Map<string, number>;
  /** Ids of messages of which an event stream told. */
  eventIds: Set<string>;
}

export const createLedger = (): Ledger => {
  let moment = 0;
  let number = 100;
  return {
    tick: () => ++moment,
    nextNumber: () => ++number,
    ads: [],
    messages: [],
    offers: [],
    favorites: new Map(),
    problems: [],
    counts: { acknowledged: 0, unknown: 0, refused: 0, repeated: 0 },
    errors: new Map(),
    eventIds: new Set(),
  };
};

export const newAdRecord = (
  write: KeyedWrite,
  { number, isNegotiable, content }: { number: number; isNegotiable: boolean; content: AdContent },
): AdRecord => ({
  number,
  write,
  seller: write.by,
  isNegotiable,
  contents: begin(content),
  isSold: begin<boolean>(false),
  buyerId: begin<string | null>(null),
  holderId: begin<string | null>(null),
  deletions: [],
});

/** Notes a change unless it was refused. */
export const note = <V>(
  changes: Change<V>[],
  value: V,
  { outcome, sentAt, endedAt }: Span & { outcome: Outcome },
): void => {
  if (outcome !== 'refused') changes.push({ value, outcome, sentAt, endedAt });
};

export const getFavorite = ({ favorites }: Ledger, by: Person, ad: AdRecord): FavoriteRecord => {
  const key = `${by.id} ${ad.number}`;
  const known = favorites.get(key) ?? { by, ad, saved: 0, removed: 0, unknown: 0 };
  favorites.set(key, known);
  return known;
};

export const isAcknowledged = (changes: readonly Change<unknown>[]): boolean =>
  changes.some(({ outcome }) => outcome === 'acknowledged');

/** Ads that were posted and that no client has tried to delete. */
export const listPresent = ({ ads }: Ledger): AdRecord[] =>
  ads.filter(({ write, deletions }) => write.id !== undefined && deletions.length === 0);

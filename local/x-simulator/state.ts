import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Fault } from './replies.ts';

export interface Code {
  code: string;
  userId: string;
  redirectUri: string;
  challenge: string;
  challengeMethod: string;
  scopes: string[];
  expiresAt: number;
  /** Set by the first use, valid or not, to the resulting grant. A second use revokes the tokens of this grant. */
  burntBy: string | null;
}

export interface Token {
  token: string;
  kind: 'access' | 'refresh';
  userId: string;
  scopes: string[];
  expiresAt: number;
  grantId: string;
  dead: boolean;
}

export interface Post {
  id: string;
  userId: string;
  text: string;
  createdAt: number;
  via: 'api' | 'composer';
}

export interface State {
  clockOffsetMs: number;
  personas: Persona[];
  codes: Code[];
  tokens: Token[];
  posts: Post[];
  faults: Fault[];
  /** Calls allowed per window by "METHOD /path", if different from X_LIMITS. */
  limits: Record<string, number>;
  /** Calls in the current window: key → [end of the window in ms, calls]. */
  windows: Record<string, [number, number]>;
  /** US dollars left; null for unlimited. */
  credits: number | null;
  spend: number;
  /** A persona that consents without a click, for API tests. */
  autoApprove: string | null;
}

export const freshState = (): State => ({
  clockOffsetMs: 0,
  personas: structuredClone([...PERSONAS]),
  codes: [],
  tokens: [],
  posts: [],
  faults: [],
  limits: {},
  windows: {},
  credits: null,
  spend: 0,
  autoApprove: null,
});

export const now = (state: State): number => Date.now() + state.clockOffsetMs;

/**
 * A token with the shape of X's tokens (91 characters of base64url). It decodes to "SBX…", so that it cannot be
 * mistaken for a real token.
 */
export const makeToken = (kind: 'at' | 'rt' | 'ac', at: number): string => {
  const random = randomBytes(32).toString('base64url').slice(0, 42);
  return Buffer.from(`SBX${random}:${at}:1:1:${kind}:1`).toString('base64url');
};

export const loadState = (file: string | undefined): State => {
  try {
    return { ...freshState(), ...(file ? (JSON.parse(readFileSync(file, 'utf8')) as State) : {}) };
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return freshState();
    throw new Error(`${file} is no state of the X sandbox; remove it to start again`, { cause: error });
  }
};

export const saveState = (file: string, state: State): void => {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

export const Persona = z.object({
  id: z.string().regex(/^\d+$/),
  username: z.string(),
  name: z.string(),
  bio: z.string().default(''),
  createdAt: z.string().default('2016-05-17T09:12:41.000Z'),
  verified: z.boolean().default(false),
  verifiedType: z.enum(['blue', 'business', 'government', 'none']).default('none'),
  subscription: z.enum(['None', 'Basic', 'Premium', 'PremiumPlus']).default('None'),
  status: z.enum(['active', 'suspended', 'locked', 'deleted']).default('active'),
  protected: z.boolean().default(false),
  email: z.string().nullable().default(null),
  /** Scopes that the account does not grant. */
  withholds: z.array(z.string()).default([]),
});
export type Persona = z.infer<typeof Persona>;

const persona = (id: string, name: string, username: string, bio: string, more: Partial<Persona> = {}): Persona =>
  Persona.parse({ id, name, username, bio, ...more });

const blue = { verified: true, verifiedType: 'blue', subscription: 'Premium' } as const;

const PERSONAS: readonly Persona[] = [
  persona('2244994945', 'Maya Lindqvist', 'mayalindqvist', 'Vintage synths, too many cables. Malmö.', {
    ...blue,
    createdAt: '2013-12-14T04:35:55.000Z',
    email: 'maya@mail.example',
  }),
  persona('1488016301', 'Tom Okafor', 'tomokafor', 'Bikes, coffee, repairs on Sundays.'),
  persona('907341182', 'Priya Raman', 'priya_raman', 'Photographer. Selling what I no longer carry.', {
    subscription: 'Basic',
    createdAt: '2012-10-27T18:20:05.000Z',
  }),
  persona('301776540', 'Harbour & Pine Furniture', 'harbourandpine', 'Solid wood, made to last.', {
    verified: true,
    verifiedType: 'business',
    subscription: 'PremiumPlus',
    createdAt: '2011-05-20T01:02:03.000Z',
    email: 'hello@harbourandpine.example',
  }),
  persona('775120094', 'Oldhaven City Council', 'OldhavenCouncil', 'News and surplus sales of the city.', {
    verified: true,
    verifiedType: 'government',
  }),
  persona('560281937', 'Jonas Feld', 'jonasfeld', 'Checked before there were colours.', { verified: true }),
  persona('1610233847', '🌻 Lena 🛹✨', 'lena_rolls', 'skate • plants • 🧿', { createdAt: '2021-03-02T22:10:00.000Z' }),
  persona('884102735', 'ليلى حداد', 'layla_haddad', 'كتب قديمة وقهوة جديدة', blue),
  persona('1102938475', 'Bartholomew Quiggleton-Smythe', 'quiggletonsmyth', 'A handle of exactly fifteen characters.'),
  persona('12117', 'Ed Marsh', 'ed', 'Here since 2007.', { createdAt: '2007-01-12T16:44:02.000Z' }),
  persona('1990000000000000321', 'new here', 'newhere84213', '', { createdAt: '2026-11-01T07:00:00.000Z' }),
  persona('650019283', 'Deal Blaster', 'dealblaster', 'BEST DEALS BEST DEALS', { status: 'suspended' }),
  persona('711203948', 'Nora Vance', 'noravance', 'Keeps the marketplace tidy.', {
    ...blue,
    email: 'nora@mail.example',
  }),
];

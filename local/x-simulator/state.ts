import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface Code {
  code: string;
  userId: string;
  redirectUri: string;
  challenge: string;
  challengeMethod: 'S256' | 'plain';
  scopes: string[];
  expiresAt: number;
  /** Set by the first use, right or wrong: the grant whose tokens a second use kills. */
  burntBy: string | null;
}

export interface Token {
  token: string;
  kind: 'access' | 'refresh';
  userId: string;
  scopes: string[];
  expiresAt: number;
  /** Shared by all tokens of one consent. */
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

/** A failure that tests ask for. */
export interface Fault {
  /** One of FAULT_KINDS in http.ts. */
  kind: string;
  method?: string;
  /** Exact path; absent means every API call. */
  path?: string;
  /** Only token requests of this grant type. */
  grantType?: string;
  /** How many more matching requests fail. */
  times: number;
  /** For the slow kinds. */
  delayMs: number;
  /** `x-rate-limit-reset` of the 429 kinds: seconds from now. */
  resetSeconds: number;
}

/** Behavior of X that is unknown or may change. The defaults are our best knowledge. */
export interface Quirks {
  reusedCodeKillsTokens: boolean;
  refreshKillsAccessToken: boolean;
  revokeTakesSibling: boolean;
  signInKillsOlderTokens: boolean;
  duplicateWindowSeconds: number;
  appMayReadEmail: boolean;
}

export interface State {
  clockOffsetMs: number;
  personas: Persona[];
  codes: Code[];
  tokens: Token[];
  posts: Post[];
  faults: Fault[];
  /** Calls allowed per window by "METHOD /path", where they differ from those of X. */
  limits: Record<string, number>;
  /** Calls in the current window: key → [window's end in ms, calls]. */
  windows: Record<string, [number, number]>;
  /** US dollars left; null for no end. */
  credits: number | null;
  spend: number;
  /** Persona who consents without a click; for API tests. */
  autoApprove: string | null;
  quirks: Quirks;
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
  quirks: {
    reusedCodeKillsTokens: true,
    refreshKillsAccessToken: false,
    revokeTakesSibling: false,
    signInKillsOlderTokens: false,
    duplicateWindowSeconds: 24 * 3600,
    appMayReadEmail: true,
  },
});

export const now = (state: State): number => Date.now() + state.clockOffsetMs;

/** A token of X's shape (91 characters of base64url). It decodes to "SBX…", so that no reader takes it for a real token. */
export const makeToken = (kind: 'at' | 'rt' | 'ac', at: number): string => {
  const random = randomBytes(32).toString('base64url').slice(0, 42);
  return Buffer.from(`SBX${random}:${at}:1:1:${kind}:1`).toString('base64url');
};

/** Reads the state of an earlier run; a fresh one without a file. */
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

export interface Persona {
  id: string;
  name: string;
  username: string;
  bio: string;
  createdAt: string;
  verified: boolean;
  verifiedType: 'blue' | 'business' | 'government' | 'none';
  subscription: 'None' | 'Basic' | 'Premium' | 'PremiumPlus';
  status: 'active' | 'suspended' | 'locked' | 'deleted';
  protected: boolean;
  email: string | null;
  /** Scopes this person never grants, whatever is asked. */
  withholds: string[];
}

const persona = (id: string, name: string, username: string, bio: string, more: Partial<Persona> = {}): Persona => ({
  id,
  name,
  username,
  bio,
  createdAt: '2016-05-17T09:12:41.000Z',
  verified: false,
  verifiedType: 'none',
  subscription: 'None',
  status: 'active',
  protected: false,
  email: null,
  withholds: [],
  ...more,
});

const blue = { verified: true, verifiedType: 'blue', subscription: 'Premium' } as const;

/** Every kind of account that the app must handle. */
export const PERSONAS: readonly Persona[] = [
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

import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Fault } from './faults.ts';
import { PERSONAS, type Persona } from './personas.ts';

export interface Code {
  code: string;
  userId: string;
  redirectUri: string;
  challenge: string;
  challengeMethod: 'S256' | 'plain';
  scopes: string[];
  expiresAt: number;
  /** Set by the first use, right or wrong; names the tokens a second use takes with it. */
  burntBy: string | null;
}

export interface Token {
  token: string;
  kind: 'access' | 'refresh';
  userId: string;
  scopes: string[];
  expiresAt: number;
  /** All tokens that stem from one consent. */
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

/** Where real X's behaviour is unknown or may change: defaults are our best knowledge. */
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
  /** Calls allowed per window, by "METHOD /path", where they differ from X's. */
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

/** X's shape (91 characters of base64url), marked so that nobody takes it for a real one: it decodes to "SBX…". */
export const makeToken = (kind: 'at' | 'rt' | 'ac', at: number): string => {
  const random = randomBytes(32).toString('base64url').slice(0, 42);
  return Buffer.from(`SBX${random}:${at}:1:1:${kind}:1`).toString('base64url');
};

/** A state kept in a file is read at the start and written, whole, after each request that may have changed it. */
export const loadState = (file: string | undefined): State => {
  try {
    return { ...freshState(), ...(file ? (JSON.parse(readFileSync(file, 'utf8')) as State) : {}) };
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return freshState();
    throw new Error(`${file} is no state of the X sandbox; remove it to start anew`, { cause: error });
  }
};

export const saveState = (file: string, state: State): void => {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

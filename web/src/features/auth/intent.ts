import { readStored, writeStored } from '../../lib/storage.ts';

/** What a visitor was about to do when they were asked to sign in. */
export interface Intent {
  does: 'contact' | 'offer' | 'save';
  /** The id of the ad, or the name of the seller. */
  about: string;
}

export interface SignInRequest {
  returnTo?: string | undefined;
  /** What the page that one returns to continues. */
  intent?: Intent | undefined;
}

const KEY = 'intent';
const MAX_AGE_MS = 15 * 60_000;

/** Keeps it while the tab is at X. It is not in the address, so that no link from elsewhere makes a person do anything. */
export const keepIntent = (intent: Intent | undefined): void =>
  writeStored('sessionStorage', KEY, intent ? JSON.stringify({ ...intent, at: Date.now() }) : null);

/** Returns the intent, once, if `isWanted`. */
export const takeIntent = (isWanted: (intent: Intent) => boolean): Intent | undefined => {
  const stored = readStored('sessionStorage', KEY);
  if (!stored) return undefined;
  const intent: Intent & { at: number } = JSON.parse(stored);
  if (!isWanted(intent)) return undefined;
  keepIntent(undefined);
  return Date.now() - intent.at < MAX_AGE_MS ? intent : undefined;
};

import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { CreationOptions, NewCredential, RequestOptions, UsedCredential } from '../../../../contract/passkeys.ts';

/** What the browser and its user did. A problem says what to do about it. */
type Attempt<Credential> = { credential: Credential } | { problem: string };

const UNSUPPORTED =
  'This browser has no passkeys here. Open the site in a current version of Chrome, Edge, Firefox or Safari.';
const WRONG_ADDRESS = 'Passkeys do not work at this address. Open the site at its usual one.';
const NO_VERIFICATION =
  'This device cannot check that it is you. Set up a screen lock, a fingerprint or a PIN, or use another device.';

const PROBLEMS: Partial<Record<WebAuthnError['code'], string>> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
    'This device has a passkey for your account already. Use that one, or choose another device.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    'This security key cannot keep passkeys. Use your phone, your computer or another key.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: NO_VERIFICATION,
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'This device is too old for passkeys. Use another one.',
  ERROR_INVALID_DOMAIN: WRONG_ADDRESS,
  ERROR_INVALID_RP_ID: WRONG_ADDRESS,
};

const attempt = async <Credential>(
  work: () => Promise<Credential>,
  cancelled: string,
): Promise<Attempt<Credential>> => {
  if (!browserSupportsWebAuthn()) return { problem: UNSUPPORTED };
  try {
    return { credential: await work() };
  } catch (error) {
    // browsers say neither who cancelled nor whether there is a passkey
    return { problem: (error instanceof WebAuthnError && PROBLEMS[error.code]) || cancelled };
  }
};

export const makeCredential = (optionsJSON: CreationOptions): Promise<Attempt<NewCredential>> =>
  attempt(
    () => startRegistration({ optionsJSON }),
    'No passkey was added: it was cancelled or took too long. Try again when you are ready.',
  );

export const askForCredential = (optionsJSON: RequestOptions): Promise<Attempt<UsedCredential>> =>
  attempt(
    () => startAuthentication({ optionsJSON }),
    'You are not signed in: it was cancelled or took too long, or this device has no passkey for this site. Try again, or sign in in another way.',
  );

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'Mac'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
] as const;

/** "Chrome on Windows": what a person recognises the passkey by until they name it. */
export const nameDevice = (userAgent: string): string => {
  const find = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(' on ') || 'Passkey';
};

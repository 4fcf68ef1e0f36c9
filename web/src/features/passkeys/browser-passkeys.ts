import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { type TextKey, t } from '../../../../contract/i18n.ts';
import type { CreationOptions, NewCredential, RequestOptions, UsedCredential } from '../../../../contract/passkeys.ts';

/** What the browser and its user did. A problem says what to do about it. */
type Attempt<Credential> = { credential: Credential } | { problem: string };

const PROBLEMS: Partial<Record<WebAuthnError['code'], TextKey>> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'passkeyProblems.hasOne',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'passkeyProblems.cannotKeep',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: 'passkeyProblems.noVerification',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'passkeyProblems.tooOld',
  ERROR_INVALID_DOMAIN: 'passkeyProblems.wrongAddress',
  ERROR_INVALID_RP_ID: 'passkeyProblems.wrongAddress',
};

const attempt = async <Credential>(
  work: () => Promise<Credential>,
  cancelled: TextKey,
): Promise<Attempt<Credential>> => {
  if (!browserSupportsWebAuthn()) return { problem: t('passkeyProblems.unsupported') };
  try {
    return { credential: await work() };
  } catch (error) {
    // browsers say neither who cancelled nor whether there is a passkey
    return { problem: t((error instanceof WebAuthnError && PROBLEMS[error.code]) || cancelled) };
  }
};

export const makeCredential = (optionsJSON: CreationOptions): Promise<Attempt<NewCredential>> =>
  attempt(() => startRegistration({ optionsJSON }), 'passkeyProblems.notAdded');

export const askForCredential = (optionsJSON: RequestOptions): Promise<Attempt<UsedCredential>> =>
  attempt(() => startAuthentication({ optionsJSON }), 'passkeyProblems.notSignedIn');

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
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser && system
    ? t('passkeys.deviceName', { browser, system })
    : (browser ?? system ?? t('passkeys.passkey'));
};

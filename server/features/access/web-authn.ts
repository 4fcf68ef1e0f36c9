import { randomBytes } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import type { CreationOptions, NewCredential, RequestOptions, UsedCredential } from '../../../contract/passkeys.ts';
import type { Config } from '../../config/load.ts';

/** Most processes never verify a passkey, and the library is large. */
const loadLibrary = () => import('@simplewebauthn/server');

const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** Ed25519, P-256 and RSA, of COSE: every authenticator knows one of them. */
const ALGORITHMS = [-8, -7, -257];

const TIMEOUT_MS = LIMITS.challengeMinutes * 60_000;

const CHALLENGE_BYTES = 32;
export const HANDLE_BYTES = 32;

type SiteConfig = Pick<Config, 'publicUrl' | 'siteName'>;

/** Passkeys belong to the host of PUBLIC_URL. A request's own host may be forged. */
const getSite = ({ publicUrl }: Pick<Config, 'publicUrl'>) => {
  const { hostname, origin } = new URL(publicUrl);
  return { rpId: hostname, origin };
};

export const createChallenge = (): Buffer => randomBytes(CHALLENGE_BYTES);

interface Person {
  handle: Buffer;
  name: string;
  displayName: string;
}

export const toCreationOptions = (
  config: SiteConfig,
  challenge: Buffer,
  { handle, name, displayName }: Person,
  known: readonly Buffer[],
): CreationOptions => ({
  rp: { id: getSite(config).rpId, name: config.siteName },
  user: { id: handle.toString('base64url'), name, displayName },
  challenge: challenge.toString('base64url'),
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: TIMEOUT_MS,
  excludeCredentials: known.map((id) => ({ type: 'public-key', id: id.toString('base64url') })),
  // found without a name typed, and always with a finger, a face or a PIN
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
});

export const toRequestOptions = (config: SiteConfig, challenge: Buffer): RequestOptions => ({
  rpId: getSite(config).rpId,
  challenge: challenge.toString('base64url'),
  timeout: TIMEOUT_MS,
  userVerification: 'required',
});

/** Uses a challenge up; false if it must not be answered. */
export type TakeChallenge = (challenge: Buffer) => Promise<boolean>;

const toExpectations = (config: SiteConfig, take: TakeChallenge) => {
  const { rpId, origin } = getSite(config);
  return {
    expectedRPID: rpId,
    expectedOrigin: origin,
    requireUserVerification: true,
    expectedChallenge: async (text: string) => {
      const challenge = Buffer.from(text, 'base64url');
      return challenge.length === CHALLENGE_BYTES && (await take(challenge));
    },
  };
};

export interface VerifiedKey {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
}

/** What PostgreSQL's checks of `passkeys` allow. */
const MAX_ID_BYTES = 1023;
const MAX_KEY_BYTES = 4096;

/**
 * Refuses statements about the maker of an authenticator before the library reads them: it fetches the addresses that their
 * certificates name. A signature by the new key itself ("packed" without certificates) says nothing about the maker, and a browser
 * may leave it. @throws {Error}
 */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await loadHelpers();
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  const isBySelf = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isBySelf) throw new Error('The registration has an attestation');
}

/** The key of a new passkey. @throws {Error} if anything about the answer is wrong */
export async function verifyNew(
  config: SiteConfig,
  { response, ...credential }: NewCredential,
  take: TakeChallenge,
): Promise<VerifiedKey> {
  await refuseCertificates(response.attestationObject);
  const { verifyRegistrationResponse } = await loadLibrary();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...toExpectations(config, take),
    supportedAlgorithmIDs: ALGORITHMS,
    response: { ...credential, response, clientExtensionResults: {} },
  });
  if (!verified) throw new Error('The registration is not valid');
  const { id, publicKey, counter } = registrationInfo.credential;
  const credentialId = Buffer.from(id, 'base64url');
  if (credentialId.length === 0 || credentialId.length > MAX_ID_BYTES || publicKey.length > MAX_KEY_BYTES)
    throw new Error('The id or the key has no possible length');
  return { credentialId, publicKey: Buffer.from(publicKey), counter };
}

/**
 * The counter of a passkey that was used. Copies of a synchronised passkey count apart, so its value decides nothing.
 * @throws {Error} if anything about the answer is wrong
 */
export async function verifyUse(
  config: SiteConfig,
  { response, ...credential }: UsedCredential,
  publicKey: Buffer,
  take: TakeChallenge,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { userHandle: _, ...rest } = response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...toExpectations(config, take),
    response: { ...credential, response: rest, clientExtensionResults: {} },
    // the library refuses a counter that is not above this
    credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
  });
  if (!verified) throw new Error('The signature is not valid');
  return authenticationInfo.newCounter;
}

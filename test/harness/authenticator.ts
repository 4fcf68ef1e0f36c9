import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { CreationOptions, NewCredential, RequestOptions, UsedCredential } from '../../contract/passkeys.ts';

/** What an authenticator, or the page that it trusts, may lie about. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Of the authenticator data: 1 present, 4 verified. */
  flags?: number;
  counter?: number;
  userHandle?: string | null;
  crossOrigin?: boolean;
  /** Signs with a key that is not the passkey's. */
  otherKey?: boolean;
  /** The statement about the authenticator: none, signed by the new key itself, or with certificates of a maker. */
  attestation?: 'none' | 'packed' | 'android-key';
}

const PRESENT_AND_VERIFIED = 0b101;
const HAS_KEY = 0b100_0000;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const createKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** CBOR of what an attestation holds: small integers, short texts and byte strings, and maps of those. */
function toCbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number): Buffer => {
    if (n < 24) return Buffer.from([(major << 5) | n]);
    return n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  const parts = [...value].flatMap(([key, one]) => [toCbor(key), toCbor(one as never)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

const toCose = (key: KeyObject): Buffer => {
  const { x, y } = key.export({ format: 'jwk' });
  const part = (text: string | undefined) => Buffer.from(text!, 'base64url');
  return toCbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part(x)],
      [-3, part(y)],
    ]),
  );
};

export interface SoftPasskey {
  id: string;
  handle: string;
  use(options: Pick<RequestOptions, 'rpId' | 'challenge'>, lies?: Lies): UsedCredential;
}

/** An authenticator of node:crypto for one site. It makes passkeys of P-256 and counts from 0, as synchronised ones do. */
export function createAuthenticator(origin: string) {
  const toClientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: lies.crossOrigin ?? false,
      }),
    );
  const toData = (rpId: string, { flags = PRESENT_AND_VERIFIED, counter = 0, ...lies }: Lies, key?: Buffer) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const bits = Buffer.from([flags | (key ? HAS_KEY : 0)]);
    return Buffer.concat([sha256(lies.rpId ?? rpId), bits, count, ...(key ? [key] : [])]);
  };
  return {
    make(
      { rp, user, challenge }: Pick<CreationOptions, 'rp' | 'user' | 'challenge'>,
      lies: Lies = {},
    ): { credential: NewCredential; passkey: SoftPasskey } {
      const { privateKey, publicKey } = createKey();
      const rawId = randomBytes(32);
      const id = rawId.toString('base64url');
      const length = Buffer.from([0, rawId.length]);
      const key = Buffer.concat([Buffer.alloc(16), length, rawId, toCose(publicKey)]);
      const authData = toData(rp.id, lies, key);
      const clientData = toClientData('webauthn.create', challenge, lies);
      const fmt = lies.attestation ?? 'none';
      const sig = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey);
      const statement = new Map<string, unknown>(
        fmt === 'none'
          ? []
          : [
              ['alg', -7],
              ['sig', sig],
            ],
      );
      if (fmt === 'android-key') statement.set('x5c', new Map());
      const attestation = toCbor(
        new Map<string, unknown>([
          ['fmt', fmt],
          ['attStmt', statement],
          ['authData', authData],
        ]),
      );
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      };
      const use: SoftPasskey['use'] = (options, ownLies = {}) => {
        const clientData = toClientData('webauthn.get', options.challenge, ownLies);
        const data = toData(options.rpId, ownLies);
        const signingKey = ownLies.otherKey ? createKey().privateKey : privateKey;
        return {
          id,
          rawId: id,
          type: 'public-key',
          response: {
            clientDataJSON: clientData.toString('base64url'),
            authenticatorData: data.toString('base64url'),
            signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), signingKey).toString('base64url'),
            userHandle: ownLies.userHandle === undefined ? user.id : ownLies.userHandle,
          },
        };
      };
      return {
        credential: { id, rawId: id, type: 'public-key', response },
        passkey: { id, handle: user.id, use },
      };
    },
  };
}

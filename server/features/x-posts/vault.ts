import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Whose token it is; a ciphertext copied to another row does not open. */
export interface TokenOwner {
  userId: string;
  env: 'live' | 'sandbox';
  kind: 'access' | 'refresh';
}

export interface Vault {
  /** Id of the key that seals from now on. */
  keyId: string;
  seal(token: string, owner: TokenOwner): Buffer;
  /** @throws when the key is gone, or the bytes are not what was sealed for this owner */
  open(sealed: Buffer, keyId: string, owner: TokenOwner): string;
}

/** Seals tokens with AES-256-GCM: IV, tag, ciphertext. The first secret seals, all open (TOKEN_ENC_KEY). */
export const openVault = (secrets: readonly string[]): Vault => {
  const keys = new Map(secrets.map((secret) => [keyIdOf(secret), keyOf(secret)]));
  const keyId = keyIdOf(secrets[0] ?? '');
  return {
    keyId,
    seal(token, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, findKey(keys, keyId), iv).setAAD(aadOf(owner));
      const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed, id, owner) {
      const iv = sealed.subarray(0, IV_BYTES);
      const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, findKey(keys, id), iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(aadOf(owner)).setAuthTag(tag);
      return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
};

/** Secrets are long random texts, so one hash makes a key; the id tells keys apart and says nothing about them. */
const keyOf = (secret: string) => createHash('sha256').update(`tradepost x token key\n${secret}`).digest();
const keyIdOf = (secret: string) =>
  createHash('sha256').update(`tradepost x token key id\n${secret}`).digest('hex').slice(0, 16);

const findKey = (keys: Map<string, Buffer>, id: string): Buffer => {
  const key = keys.get(id);
  if (!key) throw new Error(`no key ${id} in TOKEN_ENC_KEY`);
  return key;
};

const aadOf = ({ userId, env, kind }: TokenOwner) => Buffer.from(`${env}:${userId}:${kind}`);

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Encryption {
  keyId: string;
  has(keyId: string): boolean;
  /** `owner`: the row that the text belongs to. A ciphertext copied to another one does not decrypt. */
  encrypt(text: string, owner: string): Buffer;
  /** @throws when the key is gone, or the bytes were not encrypted for this owner */
  decrypt(encrypted: Buffer, keyId: string, owner: string): string;
}

/** Encrypts stored secrets with AES-256-GCM: IV, tag, ciphertext. The first key encrypts, all decrypt (TOKEN_ENC_KEY). */
export const createEncryption = (secrets: readonly string[]): Encryption => {
  const keys = new Map(secrets.map((secret) => [toKeyId(secret), toKey(secret)]));
  const keyId = toKeyId(secrets[0] ?? '');
  const getKey = (id: string): Buffer => {
    const key = keys.get(id);
    if (!key) throw new Error(`no key ${id} in TOKEN_ENC_KEY`);
    return key;
  };
  return {
    keyId,
    has: (id) => keys.has(id),
    encrypt(text, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, getKey(keyId), iv).setAAD(Buffer.from(owner));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
    },
    decrypt(encrypted, id, owner) {
      const iv = encrypted.subarray(0, IV_BYTES);
      const tag = encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, getKey(id), iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      return decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
};

/** Secrets are long random texts, so one hash makes a key. The id distinguishes keys and reveals nothing about them. */
const toKey = (secret: string) => createHash('sha256').update(`tradepost x token key\n${secret}`).digest();
const toKeyId = (secret: string) =>
  createHash('sha256').update(`tradepost x token key id\n${secret}`).digest('hex').slice(0, 16);

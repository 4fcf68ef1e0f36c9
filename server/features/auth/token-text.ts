import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Scanners of code for secrets know a token by this. */
const PREFIX = 'tp_pat_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 178 bits, so that a fast hash is enough. */
const SECRET_LENGTH = 30;
/** So many digits of base 62 hold 32 bits. */
const CHECKSUM_LENGTH = 6;

const TOKEN = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

function toChecksum(secret: string): string {
  let rest = crc32(secret);
  const digits = Array.from({ length: CHECKSUM_LENGTH }, () => {
    const digit = ALPHABET.charAt(rest % ALPHABET.length);
    rest = Math.floor(rest / ALPHABET.length);
    return digit;
  });
  return digits.reverse().join('');
}

/** A new access token. */
export const createTokenText = (): string => {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${PREFIX}${secret}${toChecksum(secret)}`;
};

/** Whether the text may be a token: its checksum fits. Most errors of typing and copying do not reach the database. */
export const isTokenText = (text: string): boolean => {
  const [, secret, checksum] = TOKEN.exec(text) ?? [];
  return secret !== undefined && toChecksum(secret) === checksum;
};

/** What the database keeps of a token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

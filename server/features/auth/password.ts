import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { perProcess } from '../../app-context.ts';
import { AppError } from '../../errors.ts';

const WORDS = new Set(
  `password passwort passw0rd p@ssw0rd p@ssword pass admin administrator root user guest test tester demo login welcome
  letmein changeme secret default master access system manager service server qwerty qwertz qwertyuiop azerty asdf
  asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd qweasdzxc 1q2w3e 1q2w3e4r 1qaz2wsx zaq12wsx q1w2e3r4 abc abcd abcdef
  iloveyou loveyou lovely love princess dragon monkey shadow sunshine football baseball basketball soccer hockey
  superman batman pokemon starwars trustno michael jordan jennifer jessica ashley daniel charlie thomas robert andrew
  michelle nicole hunter buster george harley ranger hannah matrix freedom whatever computer internet samsung
  google facebook twitter instagram tradepost marketplace market summer winter spring autumn flower cheese cookie
  banana orange purple chocolate pepper ginger maggie bailey mustang corvette ferrari mercedes yankees liverpool
  chelsea arsenal barcelona killer hello hallo bonjour ninja solo donald mynoob hottie zxcvb jesus angel blessed`.split(
    /\s+/,
  ),
);

const RUNS = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
const reverse = (s: string) => [...s].reverse().join('');

const isRun = (s: string): boolean => RUNS.some((run) => run.includes(s) || reverse(run).includes(s));

const isRepetition = (s: string): boolean => /^(.{1,4})\1+$/u.test(s);

export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  const word = plain.replace(/(?<![\d\p{P}\p{S}])[\d\p{P}\p{S}]+$/u, '').replace(/^[\d\p{P}\p{S}]+/u, '');
  const half = plain.slice(0, plain.length / 2);
  return (
    isRun(plain) ||
    isRepetition(plain) ||
    WORDS.has(plain) ||
    WORDS.has(word) ||
    (half + half === plain && (WORDS.has(half) || isRun(half)))
  );
}

// OWASP's first choice for Argon2id
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CONCURRENCY = 4;
const MAX_WAITING = 16;

/**
 * Runs at most `concurrency` calls at a time. Rejects with `overloaded` when `maxWaiting` wait, so that guesses cannot
 * exhaust the machine.
 */
export function createGate(concurrency = CONCURRENCY, maxWaiting = MAX_WAITING) {
  const limit = pLimit(concurrency);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.activeCount + limit.pendingCount >= concurrency + maxWaiting) throw new AppError('overloaded');
    return limit(work);
  };
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Takes the same time with and without a hash, so that the time does not reveal which logins exist. Known addresses
   * have a separate gate, which guesses from other addresses cannot fill.
   */
  verify(passwordHash: string | undefined, password: string, options?: { isKnownAddress?: boolean }): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const pass = createGate();
  const passKnown = createGate();
  let decoy: Promise<string> | undefined;
  return {
    hash: (password) => pass(() => hash(password.normalize('NFC'), COST)),
    async verify(passwordHash, password, { isKnownAddress = false } = {}) {
      decoy ??= hash(randomBytes(16).toString('hex'), COST);
      const against = passwordHash ?? (await decoy);
      const gate = isKnownAddress ? passKnown : pass;
      const matches = await gate(() => verify(against, password.normalize('NFC')));
      return matches && passwordHash !== undefined;
    },
  };
}

export const getPasswords = perProcess(createPasswords);

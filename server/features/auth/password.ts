import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { AppError } from '../../errors.ts';

// OWASP's first choice for Argon2id
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CONCURRENCY = 4;
const MAX_WAITING = 16;

/**
 * Runs at most `concurrency` jobs; rejects with `overloaded` when `maxWaiting` wait, so that guesses cannot exhaust
 * the machine.
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

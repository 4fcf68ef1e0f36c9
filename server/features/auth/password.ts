import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../errors.ts';

// OWASP's first choice for Argon2id; 10 ms on one core
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 4;
const WAITING = 16;

/** Runs at most `atOnce` jobs; more than `waiting` behind them are refused, so guessing cannot eat the machine. */
export function createGate(atOnce = AT_ONCE, waiting = WAITING) {
  let running = 0;
  const queue: (() => void)[] = [];
  return async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new AppError('overloaded');
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long for a login that does not exist (no hash) as for one that does. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

/** Argon2id, a few at a time. Passwords are compared as typed in NFC and never trimmed. */
export function createPasswords(): Passwords {
  const pass = createGate();
  let decoy: Promise<string> | undefined;
  return {
    hash: (password) => pass(() => hash(password.normalize('NFC'), COST)),
    async verify(passwordHash, password) {
      decoy ??= hash(randomBytes(16).toString('hex'), COST);
      const against = passwordHash ?? (await decoy);
      const matches = await pass(() => verify(against, password.normalize('NFC')));
      return matches && passwordHash !== undefined;
    },
  };
}

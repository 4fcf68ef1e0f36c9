import { LRUCache } from 'lru-cache';
import type { EncodedResponse } from './answer-writer.ts';

export interface PersonalCache {
  /** What this person was told at this address within the last second. */
  find(userId: string, url: string): EncodedResponse | undefined;
  /** Makes an answer and keeps it, unless the person has changed something meanwhile. */
  make(userId: string, url: string, make: () => Promise<EncodedResponse>): Promise<EncodedResponse>;
  /** They have changed something, or something was sent to them. */
  forget(userId: string): void;
  clear(): void;
}

const ANSWERS_EACH = 20;

/** Answers to one person each, a second long: what a page asks for again at every step. */
export function createPersonalCache(milliseconds = 1000): PersonalCache {
  const people = new LRUCache<string, Map<string, { answer: EncodedResponse; until: number }>>({ max: 10_000 });
  return {
    find(userId, url) {
      const found = people.get(userId)?.get(url);
      return found && found.until > performance.now() ? found.answer : undefined;
    },
    async make(userId, url, make) {
      const answers = people.get(userId) ?? new Map();
      people.set(userId, answers);
      const until = performance.now() + milliseconds;
      const answer = await make();
      if (answers.size >= ANSWERS_EACH) answers.clear();
      // forgotten meanwhile: then this map is nobody's any more
      answers.set(url, { answer, until });
      return answer;
    },
    forget: (userId) => void people.delete(userId),
    clear: () => people.clear(),
  };
}

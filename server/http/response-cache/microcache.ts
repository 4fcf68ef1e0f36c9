import { LRUCache } from 'lru-cache';
import type { CachedResponse } from './prepared-answer.ts';

export interface ResponseCache {
  /** The answer to this very address, if there is one. */
  peek(url: string): CachedResponse | undefined;
  /** The answer by its key: at most a second old, made once however many ask at the same time. `url` lets peek find it. */
  get<Answer extends CachedResponse>(key: string, make: () => Promise<Answer>, url?: string): Promise<Answer>;
  /** Something public changed here: what is being made now is not kept either. */
  clear(): void;
}

const sizeOf = ({ body, encoded }: CachedResponse) =>
  500 +
  body.length +
  Object.values(encoded).reduce((sum, twin) => sum + (Buffer.isBuffer(twin) ? twin.length : body.length / 4), 0);

const sizeOfSpelling = (key: string, url: string) => 2 * (key.length + url.length);

/** Keeps answers for a second from the moment that their data were read. */
export function createResponseCache(milliseconds = 1000): ResponseCache {
  const answers = new LRUCache<string, CachedResponse>({
    max: 2000,
    maxSize: 48 * 1024 * 1024,
    sizeCalculation: sizeOf,
  });
  // Their keys by spelling: ?a=1&b=2 and ?b=2&a=1 are two of one. A spelling always means the same, so it may be kept.
  const keys = new LRUCache<string, string>({ max: 4000, maxSize: 4 * 1024 * 1024, sizeCalculation: sizeOfSpelling });
  let making = new Map<string, Promise<CachedResponse>>();

  async function makeOnce(key: string, make: () => Promise<CachedResponse>): Promise<CachedResponse> {
    const mine = making;
    const started = performance.now();
    const promise = make();
    mine.set(key, promise);
    try {
      const answer = await promise;
      const ttl = milliseconds - (performance.now() - (answer.asOf ?? started));
      if (mine === making && ttl > 0) answers.set(key, answer, { ttl });
      return answer;
    } finally {
      mine.delete(key);
    }
  }

  return {
    peek(url) {
      const key = keys.get(url);
      return key === undefined ? undefined : answers.get(key);
    },
    async get<Answer extends CachedResponse>(key: string, make: () => Promise<Answer>, url?: string) {
      const answer = answers.get(key) ?? (await (making.get(key) ?? makeOnce(key, make)));
      if (url !== undefined) keys.set(url, key);
      return answer as Answer;
    },
    clear() {
      answers.clear();
      making = new Map();
    },
  };
}

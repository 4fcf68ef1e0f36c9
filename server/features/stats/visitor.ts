import { createHash } from 'node:crypto';

/** What a request tells about who looks. */
export interface Viewer {
  ip: string;
  userAgent: string;
  /** Fetched ahead of a click that may never come. */
  isPrefetch: boolean;
}

// Search engines, link previews and tools: they fetch, they do not look.
const ROBOT =
  /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embed|fetch|monitor|curl|wget|python|httpclient|headlesschrome|lighthouse/i;

/** True for programs, and for whoever does not say what they are. */
export const isRobot = (userAgent: string): boolean => userAgent === '' || ROBOT.test(userAgent);

/** A hash that knows somebody again for a day and never after it: no cookie, nothing that could be looked up. */
export const hashVisitor = (secret: string, day: string, who: string): Buffer =>
  createHash('sha256').update(`${secret}\n${day}\n${who}`).digest().subarray(0, 16);

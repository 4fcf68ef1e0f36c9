import { createHash } from 'node:crypto';

/** What a request tells about who visits a page. */
export interface Visitor {
  ip: string;
  userAgent: string;
  isPrefetch: boolean;
}

const ROBOT =
  /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embed|fetch|monitor|curl|wget|python|httpclient|headlesschrome|lighthouse/i;

export const isRobot = (userAgent: string): boolean => userAgent === '' || ROBOT.test(userAgent);

/** A hash that identifies a visitor for one day only. It needs no cookie and cannot be reversed. */
export const hashVisitor = (secret: string, day: string, visitor: string): Buffer =>
  createHash('sha256').update(`${secret}\n${day}\n${visitor}`).digest().subarray(0, 16);

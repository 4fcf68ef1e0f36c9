import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../policy.ts';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const parseAddress = (text: string): string | undefined => {
  const address = text.trim().replace(MAPPED, '$1');
  return isIP(address) > 0 ? address : undefined;
};

const known = new LRUCache<string, string>({ max: 1000 });

function readAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const before = known.get(text);
  if (before !== undefined) return before;
  const address = parseAddress(text);
  if (address !== undefined && text.length <= 64) known.set(text, address);
  return address;
}

/**
 * The client's address: the peer's, or with trusted proxies the entry of X-Forwarded-For that the outermost of them
 * wrote, counted from the right. Entries left of it can be forged.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | undefined, hops: number): string {
  const entries = hops > 0 && forwardedFor ? forwardedFor.split(',') : [];
  return readAddress(entries.at(-hops) ?? entries[0]) ?? readAddress(peer) ?? 'unknown';
}

export const isLoopback = (peer: string | undefined): boolean => /^(127\.|::1$)/.test(readAddress(peer) ?? '');

/** The rate-limit key of an address: IPv6 by /64, which one household or server owns as a whole. */
export function addressBucket(address: string): string {
  if (isIP(address) !== 6) return address;
  const { parts } = ipaddr.IPv6.parse(address.replace(/%.*/, ''));
  const groups = parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}

/** All programs of a person share the limits, apart from those of their browsers. */
export const limitKey = (actor: Actor, ip: string): string =>
  actor.kind === 'user' ? `${actor.token ? 't' : 'u'}${actor.id}` : `a${addressBucket(ip)}`;

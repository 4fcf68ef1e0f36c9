import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type ErrorPhrase, toEnglish } from '../error-phrases.ts';

export interface PublicRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** For the whole request, from the look-up of the host to the status of the response. */
  timeoutMs: number;
  /** Development: the host may be this machine, also over http. */
  allowsLoopback: boolean;
}

export interface PublicResponse {
  status: number;
  /** The header Retry-After as it came. */
  retryAfter: string | undefined;
}

/**
 * How far a failed request got.
 * - `forbidden`: the host is, or resolves to, an address that is not on the public internet. Nothing was sent.
 * - `unsent`: no connection was established.
 * - `lost`: the server may have received the request.
 */
export type RequestFailure = 'forbidden' | 'unsent' | 'lost';

export class PublicRequestError extends Error {
  override readonly name = 'PublicRequestError';
  readonly failure: RequestFailure;
  /** What the person reads who named the address. */
  readonly phrase: ErrorPhrase;
  constructor(phrase: ErrorPhrase, failure: RequestFailure) {
    super(toEnglish(phrase));
    this.failure = failure;
    this.phrase = phrase;
  }
}

/** Azure's host answers its machines here, and nobody else: a public address that is inside of a network. */
const AZURE_HOST = '168.63.129.16';

/**
 * Whether an IP address is on the public internet: not loopback, private, link-local, carrier-grade NAT, unique local,
 * multicast, documentation, an IPv4 address inside an IPv6 one that is any of these, or a tunnel to one.
 */
export const isPublicAddress = (address: string): boolean => {
  const parsed = ipaddr.process(address);
  if (parsed.toString() === AZURE_HOST) return false;
  // only 2000::/3 is assigned to the public internet
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1);
};

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback';

const isAllowed = (address: string, allowsLoopback: boolean): boolean =>
  isPublicAddress(address) || (allowsLoopback && isLoopback(address));

/** Whether it is asked over TLS, however its scheme is written. */
export const isHttps = (url: string): boolean => new URL(url).protocol === 'https:';

/** Host of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

const LOCALHOST = /(^|\.)localhost\.?$/;

/** Whether postToPublicHost would refuse the URL's host without resolving it. Other names are resolved for each request. */
export const namesForbiddenAddress = (url: string, allowsLoopback: boolean): boolean => {
  const host = hostOf(url);
  return isIP(host) > 0 ? !isAllowed(host, allowsLoopback) : LOCALHOST.test(host) && !allowsLoopback;
};

export const refuse = (host: string): PublicRequestError =>
  new PublicRequestError({ key: 'errors.hostNotPublic', values: { host } }, 'forbidden');

const RESOLVER = { timeout: 2000, tries: 2 };

/**
 * Asks the name servers, without the thread pool that dns.lookup blocks: slow names of users must not delay what else uses
 * it, such as passwords and files.
 */
const resolveHost = async (host: string): Promise<LookupAddress[]> => {
  if (LOCALHOST.test(host)) return [{ address: '127.0.0.1', family: 4 }];
  const resolver = new Resolver(RESOLVER);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const listOf = (result: PromiseSettledResult<string[]>, family: number): LookupAddress[] =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  const addresses = [...listOf(v4, 4), ...listOf(v6, 6)];
  if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
  return addresses;
};

/**
 * Resolves a host for the connection that follows. The addresses that are checked are the addresses that are connected
 * to, so that a name server cannot give a public address first and a private one later.
 */
export const lookupPublic =
  (allowsLoopback: boolean): LookupFunction =>
  (host, { all }, callback) => {
    const lookup = async (): Promise<LookupAddress[]> => {
      const addresses = await resolveHost(host);
      if (!addresses.every(({ address }) => isAllowed(address, allowsLoopback))) throw refuse(host);
      return addresses;
    };
    lookup().then(
      (addresses) => (all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => callback(error, '', 0),
    );
  };

const explain = (host: string, { name, code }: NodeJS.ErrnoException): ErrorPhrase => {
  if (name === 'AbortError') return { key: 'errors.hostLate', values: { host } };
  return code ? { key: 'errors.hostFailed', values: { host, code } } : { key: 'errors.hostLost', values: { host } };
};

/**
 * Posts to a URL that a user has chosen. Every such request must use this function: it connects to public addresses only,
 * over https, follows no redirect, reads no body, and uses a connection of its own.
 * @throws {PublicRequestError} and no other error
 */
export const postToPublicHost = async (request: PublicRequest): Promise<PublicResponse> => {
  const { url, headers, body, timeoutMs, allowsLoopback } = request;
  const host = hostOf(url);
  const isSecure = isHttps(url);
  if (!isSecure && !allowsLoopback)
    throw new PublicRequestError({ key: 'errors.hostNotHttps', values: { host } }, 'forbidden');
  // Node connects to an IP address without a look-up
  if (namesForbiddenAddress(url, allowsLoopback)) throw refuse(host);
  const { request: open } = isSecure ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const sent = open(url, {
      method: 'POST',
      headers,
      agent: false,
      lookup: lookupPublic(allowsLoopback),
      signal: AbortSignal.timeout(timeoutMs),
    });
    sent.on('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
    });
    sent.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      response.destroy();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof PublicRequestError) return reject(error);
      reject(new PublicRequestError(explain(host, error), isConnected ? 'lost' : 'unsent'));
    });
    sent.end(body);
  });
};

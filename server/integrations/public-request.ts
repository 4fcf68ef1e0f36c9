import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface PublicRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** For the whole request, from the look-up of the host to the status of the response. */
  timeoutMs: number;
  /** Development: the host may be this machine, also over http. */
  allowsLoopback: boolean;
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
  constructor(message: string, failure: RequestFailure) {
    super(message);
    this.failure = failure;
  }
}

/**
 * Whether an IP address is on the public internet: not loopback, private, link-local, carrier-grade NAT, unique local,
 * multicast, documentation, an IPv4 address inside an IPv6 one that is any of these, or a tunnel to one.
 */
export const isPublicAddress = (address: string): boolean => {
  const parsed = ipaddr.process(address);
  // only 2000::/3 is assigned to the public internet
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1);
};

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback';

/** Host of a URL; an IPv6 address without its brackets. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Whether the URL's host is an IP address that postToPublicHost would refuse. Names are resolved when it connects. */
export const namesForbiddenAddress = (url: string, allowsLoopback: boolean): boolean => {
  const host = hostOf(url);
  return isIP(host) > 0 && !isAllowed(host, allowsLoopback);
};

const isAllowed = (address: string, allowsLoopback: boolean): boolean =>
  isPublicAddress(address) || (allowsLoopback && isLoopback(address));

const refuse = (host: string): PublicRequestError =>
  new PublicRequestError(`${host} is not on the public internet`, 'forbidden');

/**
 * Resolves a host for the connection that follows. The addresses that are checked are the addresses that are connected
 * to, so that a name server cannot give a public address first and a private one later.
 */
const lookupPublic =
  (allowsLoopback: boolean): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const isRefused = addresses?.some(({ address }) => !isAllowed(address, allowsLoopback));
      const problem = error ?? (isRefused ? refuse(host) : null);
      const [first] = addresses ?? [];
      if (problem || !first) callback(problem ?? new Error(`${host} has no address`), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

/**
 * Posts to a URL that a user has chosen, and returns the status. Every such request must use this function: it connects
 * to public addresses only, over https, follows no redirect, reads no body, and uses a connection of its own.
 * @throws {PublicRequestError} and no other error
 */
export const postToPublicHost = async (request: PublicRequest): Promise<{ status: number }> => {
  const { url, headers, body, timeoutMs, allowsLoopback } = request;
  const host = hostOf(url);
  const isHttps = url.startsWith('https:');
  if (!isHttps && !allowsLoopback) throw new PublicRequestError(`${host} is not asked over https`, 'forbidden');
  // Node connects to an IP address without a look-up
  if (namesForbiddenAddress(url, allowsLoopback)) throw refuse(host);
  const { request: open } = isHttps ? await import('node:https') : await import('node:http');
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
      socket.once(isHttps ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
    });
    sent.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0 });
      response.destroy();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof PublicRequestError) return reject(error);
      const why = error.name === 'AbortError' ? 'no response in time' : (error.code ?? 'connection lost');
      reject(new PublicRequestError(`${host}: ${why}`, isConnected ? 'lost' : 'unsent'));
    });
    sent.end(body);
  });
};

import type { IncomingMessage } from 'node:http';
import { type ErrorPhrase, toEnglish } from '../error-phrases.ts';
import { hostOf, isHttps, lookupPublic, namesForbiddenAddress, PublicRequestError, refuse } from './public-request.ts';

interface Download {
  url: string;
  /** For the whole download, with its redirects. */
  timeoutMs: number;
  maxBytes: number;
  /** Development: the host may be this machine. */
  allowsLoopback: boolean;
}

const REDIRECTS = 3;
/** Too slow, too early, too often: another try may be answered. */
const LATER = new Set([408, 425, 429]);

/** What the server said, for who named the address. `isFinal`: another try would say the same. */
export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
  /** None: what is wrong is a code of the network. */
  readonly phrase: ErrorPhrase | undefined;
  readonly isFinal: boolean;
  constructor(what: string | ErrorPhrase, isFinal: boolean) {
    super(typeof what === 'string' ? what : toEnglish(what));
    this.phrase = typeof what === 'string' ? undefined : what;
    this.isFinal = isFinal;
  }
}

const open = async (url: string, signal: AbortSignal, allowsLoopback: boolean): Promise<IncomingMessage> => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new DownloadRefused({ key: 'mistakes.photoNoAddress' }, true);
  // Node connects to an IP address without a look-up
  if (namesForbiddenAddress(url, allowsLoopback)) throw refuse(hostOf(url));
  const { get } = isHttps(url) ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Tradepost' };
    get(url, { agent: false, lookup: lookupPublic(allowsLoopback), signal, headers }, resolve).once('error', reject);
  });
};

const readAll = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const tooLarge = new DownloadRefused(
    { key: 'mistakes.photoTooLarge', values: { max: Math.floor(maxBytes / 1024 / 1024) } },
    true,
  );
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const follow = async (
  { url, maxBytes, allowsLoopback }: Download,
  signal: AbortSignal,
  redirects: number,
): Promise<Buffer> => {
  const response = await open(url, signal, allowsLoopback);
  try {
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400 && headers.location) {
      const next = URL.parse(headers.location, url);
      if (redirects === 0 || next === null) throw new DownloadRefused({ key: 'mistakes.photoRedirects' }, true);
      return await follow({ url: next.href, maxBytes, allowsLoopback, timeoutMs: 0 }, signal, redirects - 1);
    }
    if (status !== 200)
      throw new DownloadRefused(
        { key: 'mistakes.photoAnswer', values: { status: String(status) } },
        status >= 400 && status < 500 && !LATER.has(status),
      );
    return await readAll(response, maxBytes);
  } finally {
    response.destroy();
  }
};

/**
 * Downloads a file from an address that a user has named: from public addresses only, at each redirect too, without cookies, and
 * never more than `maxBytes`. @throws {DownloadRefused | PublicRequestError}
 */
export const downloadFromPublicHost = async (download: Download): Promise<Buffer> => {
  const signal = AbortSignal.timeout(download.timeoutMs);
  try {
    return await follow(download, signal, REDIRECTS);
  } catch (error) {
    if (error instanceof PublicRequestError || error instanceof DownloadRefused) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DownloadRefused(signal.aborted ? { key: 'mistakes.photoLate' } : (code ?? message), false);
  }
};

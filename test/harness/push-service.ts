import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const SKEW_SECONDS = 5;
const DAY_SECONDS = 86_400;

/**
 * Verifies the Authorization header of RFC 8292 for a push service at `origin`. Returns the public key that signed it.
 * @throws with what is wrong
 */
export const verifyVapid = (authorization: string | undefined, origin: string): string => {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { alg, typ } = JSON.parse(Buffer.from(header, 'base64url').toString() || '{}');
  if (alg !== 'ES256' || typ !== 'JWT') throw new Error(`no ES256 token: ${authorization}`);
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y! };
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url')))
    throw new Error('the signature is wrong');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const left = exp - Date.now() / 1000;
  if (aud !== origin) throw new Error(`the token is for ${aud}`);
  if (!(left > 0 && left <= DAY_SECONDS + SKEW_SECONDS)) throw new Error(`the token expires in ${left} s`);
  if (!/^(mailto:|https:)/.test(sub)) throw new Error(`the subject is ${sub}`);
  return key;
};

export interface BrowserKeys {
  ecdh: ECDH;
  auth: Buffer;
}

export const createBrowserKeys = (): BrowserKeys => {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, auth: randomBytes(16) };
};

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** Decrypts a body of Content-Encoding aes128gcm as a browser does (RFC 8291). @throws if it is not for these keys */
export const decryptPush = (body: Buffer, { ecdh, auth }: BrowserKeys): string => {
  const salt = body.subarray(0, 16);
  const keyLength = body[20]!;
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const secret = derive(ecdh.computeSecret(senderKey), auth, keyInfo, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // the last record ends with 2 and zeros
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
};

export interface ReceivedPush {
  endpoint: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The key that signed the request. */
  publicKey: string;
}

export interface TestBrowser {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** What the browser has received, decrypted. */
  pushes: (ReceivedPush & { payload: { id: string; title: string; body: string; url: string } })[];
  /** The status of the next responses; undefined closes the connection without a response. */
  respond(...statuses: (number | undefined)[]): void;
}

export interface PushService {
  url: string;
  subscribe(): TestBrowser;
  /** Receives the requests for endpoints of no test browser. Default: 404. */
  onPush: (push: ReceivedPush) => number;
  close(): Promise<void>;
}

/**
 * A push service. It refuses what is not signed for it with 401, and answers 400 when a test browser cannot decrypt the
 * body.
 */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { browser: TestBrowser; secrets: BrowserKeys; statuses: (number | undefined)[] }>();
  const server = createServer(async (req, res) => {
    const status = await receive(req).catch(() => 400);
    if (status === undefined) req.socket.destroy();
    else res.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const receive = async (req: IncomingMessage): Promise<number | undefined> => {
    const endpoint = url + req.url;
    const { headers } = req;
    const body = await buffer(req);
    let publicKey: string;
    try {
      publicKey = verifyVapid(headers.authorization, url);
    } catch {
      return 401;
    }
    if (req.method !== 'POST' || headers['content-encoding'] !== 'aes128gcm' || !headers.ttl) return 400;
    const push = { endpoint, headers, body, publicKey };
    const known = browsers.get(endpoint);
    if (!known) return service.onPush(push);
    if (known.statuses.length > 0) {
      const status = known.statuses.shift();
      if (status !== 201) return status;
    }
    known.browser.pushes.push({ ...push, payload: JSON.parse(decryptPush(body, known.secrets)) });
    return 201;
  };

  const service: PushService = {
    url,
    onPush: () => 404,
    subscribe() {
      const endpoint = `${url}/push/${randomBytes(16).toString('base64url')}`;
      const secrets = createBrowserKeys();
      const statuses: (number | undefined)[] = [];
      const keys = {
        p256dh: secrets.ecdh.getPublicKey().toString('base64url'),
        auth: secrets.auth.toString('base64url'),
      };
      const browser: TestBrowser = { endpoint, keys, pushes: [], respond: (...next) => void statuses.push(...next) };
      browsers.set(endpoint, { browser, secrets, statuses });
      return browser;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}

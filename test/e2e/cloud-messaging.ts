import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { PushService, ReceivedPush } from '../harness/push-service.ts';

/*
 * The part of Google's Cloud Messaging that Chromium's own push client needs: it checks in and registers over HTTP, and
 * receives messages over a TLS connection (MCS). Everything in the browser is real: the subscription, the decryption of
 * the message, the service worker and the notification.
 */

const encodeNumber = (value: number | bigint): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
};

type Field = [number: number, value: string | Buffer | number | { fixed64: bigint }];

/** A message of Protocol Buffers. */
const encode = (...fields: Field[]): Buffer =>
  Buffer.concat(
    fields.map(([number, value]) => {
      const key = (type: number) => encodeNumber((number << 3) | type);
      if (typeof value === 'number') return Buffer.concat([key(0), encodeNumber(value)]);
      if (typeof value === 'object' && 'fixed64' in value) {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64LE(value.fixed64);
        return Buffer.concat([key(1), bytes]);
      }
      const bytes = Buffer.from(value);
      return Buffer.concat([key(2), encodeNumber(bytes.length), bytes]);
    }),
  );

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};

/** An untrusted certificate: Chromium runs with --ignore-certificate-errors. */
const createCertificate = (publicKey: KeyObject, privateKey: KeyObject): string => {
  const hex = (text: string) => Buffer.from(text, 'hex');
  const algorithm = der(0x30, hex('06082a8648ce3d040302'));
  const name = der(0x30, der(0x31, der(0x30, hex('0603550403'), der(0x0c, Buffer.from('localhost')))));
  const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const content = der(0x30, der(0x02, Buffer.from([1])), algorithm, name, validity, name, key);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const certificate = der(0x30, content, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`;
};

const MCS_VERSION = 41;
const TAG = { ping: 0, pingReply: 1, loginReply: 3, message: 8 };

const toPacket = (tag: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([tag]), encodeNumber(body.length), body]);

/** What a registration needs for its messages to reach the browser. */
type Registration = Record<'app' | 'sender' | 'subtype', string>;

export interface CloudMessaging {
  /** Chromium's switches: its push client then uses this instead of Google. */
  flags: string[];
  /** Replaces Google's address by the push service's in text of the page, and back. */
  toService(text: string): string;
  toBrowser(text: string): string;
  /** Ends all registrations: their endpoints are gone. */
  forgetAll(): void;
  /** The endpoints of live registrations. */
  listEndpoints(): string[];
  received: ReceivedPush[];
  close(): Promise<void>;
}

/** Delivers what the push service accepts to Chromium. */
export async function startCloudMessaging(service: PushService): Promise<CloudMessaging> {
  const registrations = new Map<string, Registration>();
  const received: ReceivedPush[] = [];
  const waiting: Buffer[] = [];
  let connection: TLSSocket | undefined;
  let google = '';

  const deliver = (packet: Buffer) => void (connection ? connection.write(packet) : waiting.push(packet));

  const front = createServer(async (req, res) => {
    const body = await buffer(req);
    if (req.url === '/checkin') {
      const ids = { android: randomBytes(7), security: randomBytes(7) };
      const toId = (bytes: Buffer) => ({ fixed64: BigInt(`0x${bytes.toString('hex')}`) });
      return res.end(encode([1, 1], [3, Date.now()], [7, toId(ids.android)], [8, toId(ids.security)]));
    }
    const form = new URLSearchParams(body.toString());
    const token = randomBytes(24).toString('base64url');
    const [app = '', sender = '', subtype = ''] = ['app', 'sender', 'X-subtype'].map((name) => form.get(name) ?? '');
    if (form.get('delete') === 'true') {
      for (const [endpoint, other] of registrations) if (other.subtype === subtype) registrations.delete(endpoint);
      return res.end('deleted=1');
    }
    // Chromium also registers itself.
    if (subtype !== '') registrations.set(`${service.url}/push/${token}`, { app, sender, subtype });
    return res.end(`token=${token}`);
  });

  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = createCertificate(publicKey, privateKey);
  const mcs = createTlsServer({ key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert }, (socket) => {
    let isLoggedIn = false;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (isLoggedIn) {
        if (data[0] === TAG.ping) socket.write(toPacket(TAG.pingReply, Buffer.alloc(0)));
        return;
      }
      isLoggedIn = true;
      socket.write(Buffer.concat([Buffer.from([MCS_VERSION]), toPacket(TAG.loginReply, encode([1, 'login']))]));
      connection = socket;
      for (const packet of waiting.splice(0)) deliver(packet);
    });
  });

  service.onPush = (push) => {
    const registration = registrations.get(push.endpoint);
    if (!registration) return 410;
    received.push(push);
    const id = randomBytes(8).toString('hex');
    const { app, sender, subtype } = registration;
    const data = { subtype, 'content-encoding': 'aes128gcm' };
    const fields = Object.entries(data).map(([name, value]): Field => [7, encode([1, name], [2, value])]);
    deliver(toPacket(TAG.message, encode([2, id], [3, sender], [5, app], ...fields, [9, id], [21, push.body])));
    return 201;
  };

  const listen = (server: typeof front | typeof mcs) =>
    new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    );
  const [frontPort, mcsPort] = await Promise.all([listen(front), listen(mcs)]);
  return {
    flags: [
      `--gcm-checkin-url=http://127.0.0.1:${frontPort}/checkin`,
      `--gcm-registration-url=http://127.0.0.1:${frontPort}/register`,
      `--gcm-mcs-endpoint=https://127.0.0.1:${mcsPort}`,
      '--ignore-certificate-errors',
    ],
    toService: (text) =>
      text.replace(/https:\/\/[\w.]+\/fcm\/send\//g, (address) => {
        google = address;
        return `${service.url}/push/`;
      }),
    toBrowser: (text) => (google ? text.replaceAll(`${service.url}/push/`, google) : text),
    forgetAll: () => registrations.clear(),
    listEndpoints: () => [...registrations.keys()],
    received,
    async close() {
      front.closeAllConnections();
      connection?.destroy();
      await Promise.all([front, mcs].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

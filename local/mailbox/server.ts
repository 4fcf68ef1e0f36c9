import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { showList, showMail } from './pages.ts';
import { createMailStore, type MailStore, readMail } from './store.ts';

export interface MailboxOptions {
  /** Port of the page. 0 picks a free one. */
  port: number;
  directory: string;
}

export interface Mailbox {
  /** The page. */
  url: string;
  /** What SMTP_URL must be. */
  smtpUrl: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Starts a mail server that sends nothing on, and a page that shows what it received. Both listen on loopback only.
 * @throws in production
 */
export const startMailbox = async ({ port, directory }: MailboxOptions): Promise<Mailbox> => {
  if (process.env.NODE_ENV === 'production') throw new Error('The local mailbox does not run in production');
  const store = createMailStore(directory);
  const smtp = await listenForMail(store);
  const server = createServer((req, res) => {
    answer(store, req, res).catch(() => res.writeHead(500).end());
  });
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (error) {
    await smtp.close();
    throw error;
  }
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    smtpUrl: smtp.url,
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
      await smtp.close();
    },
  };
};

const listenForMail = async (store: MailStore): Promise<{ url: string; close(): Promise<void> }> => {
  const { SMTPServer } = await import('smtp-server');
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    onData(stream, _session, done) {
      buffer(stream).then(
        (source) => {
          store.add(source);
          done();
        },
        (error: Error) => done(error),
      );
    },
  });
  // a client that vanishes must not end the marketplace
  server.on('error', () => {});
  server.listen(0, HOST);
  await once(server.server, 'listening');
  return {
    url: `smtp://${HOST}:${(server.server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'";
/** No script runs, and nothing is loaded: mails of this marketplace need neither. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

async function answer(store: MailStore, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const send = (status: number, type: string, body: string | Buffer, policy = PAGE_POLICY): void =>
    void res.writeHead(status, { ...HEADERS, 'content-type': type, 'content-security-policy': policy }).end(body);
  const notFound = () => send(404, 'text/plain; charset=utf-8', 'There is no such mail.');
  // a page on the internet could give its own name this address, and read the links in mails
  if (!/^(127\.0\.0\.1|localhost):\d+$/.test(req.headers.host ?? '')) return send(421, 'text/plain', 'Wrong host.');
  const { pathname } = new URL(req.url ?? '/', 'http://mailbox');
  if (req.method === 'POST' && pathname === '/clear') {
    store.clear();
    return void res.writeHead(303, { ...HEADERS, location: '/' }).end();
  }
  if (pathname === '/') return send(200, 'text/html; charset=utf-8', showList(await readAll(store)));
  if (pathname === '/api/mails') return send(200, 'application/json', JSON.stringify(await readAll(store)));
  const [, id = '', part] = /^\/mails\/(\d{1,9})(?:\/(html|source))?$/.exec(pathname) ?? [];
  const mail = store.find(Number(id || -1));
  if (!mail) return notFound();
  if (part === 'source') return send(200, 'text/plain; charset=utf-8', mail.source);
  const read = await readMail(mail);
  if (part === undefined) return send(200, 'text/html; charset=utf-8', showMail(read));
  if (read.html === null) return notFound();
  // links open beside the mailbox
  return send(
    200,
    'text/html; charset=utf-8',
    read.html.replace(/<head>/i, '<head><base target="_blank">'),
    MAIL_POLICY,
  );
}

const readAll = (store: MailStore) => Promise.all(store.list().map(readMail));

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const SCRIPT = '/__collector.js';
export const COLLECTED = 'collected-problems';

/** Runs in the page, before its own scripts. WebDriver has no access to the browser's console. */
const collect = (key: string) => {
  const add = (problem: string) => {
    const known = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    sessionStorage.setItem(key, JSON.stringify([...known, `${location.pathname}: ${problem}`]));
  };
  // Whoever leaves a page ends what it still loads.
  let isLeft = false;
  addEventListener('beforeunload', () => {
    isLeft = true;
  });
  const onError = ({ target, error, message }: ErrorEvent) => {
    if (!(target instanceof Element)) return add(String(error ?? message));
    const { src, href } = target as HTMLImageElement & HTMLLinkElement;
    if (!isLeft) add(`did not load: ${src ?? href}`);
  };
  // Elements that do not load tell it in the capture phase only.
  addEventListener('error', onError, true);
  addEventListener('unhandledrejection', ({ reason }) => add(`unhandled rejection: ${reason}`));
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    add(`refused by the content security policy: ${effectiveDirective} ${blockedURI}`),
  );
  const { error } = console;
  console.error = (...args: unknown[]) => {
    add(args.map(String).join(' '));
    error.apply(console, args);
  };
};

export interface Collector {
  url: string;
  /** Sets the address of the server that gets the requests. */
  forwardTo(server: string): void;
  close(): void;
}

/** A proxy that adds a script to each page, which keeps the page's errors in sessionStorage under COLLECTED. */
export const startCollector = async (): Promise<Collector> => {
  let server = '';
  const proxy = createServer((incoming, response) => {
    if (incoming.url === SCRIPT) {
      const headers = { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' };
      return void response.writeHead(200, headers).end(`(${collect})(${JSON.stringify(COLLECTED)})`);
    }
    const { method, url, headers: sent } = incoming;
    // A page has to arrive as it is: neither compressed nor "not modified".
    const { 'accept-encoding': _, ...headers } = sent;
    if (sent.accept?.includes('text/html')) delete headers['if-none-match'];
    const outgoing = request(
      new URL(url ?? '/', server),
      { method, headers, agent: false },
      (answer) => void passOn(answer, response),
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    forwardTo(address) {
      server = address;
    },
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
};

const passOn = async (answer: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { statusCode = 502, headers } = answer;
  if (!headers['content-type']?.startsWith('text/html')) {
    response.writeHead(statusCode, headers);
    return void answer.pipe(response);
  }
  const page = (await text(answer)).replace('<head>', `<head><script src="${SCRIPT}"></script>`);
  const { 'content-length': _, etag, 'transfer-encoding': __, ...rest } = headers;
  response.writeHead(statusCode, rest).end(page);
};

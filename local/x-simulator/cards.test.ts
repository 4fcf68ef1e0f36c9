import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchCard, mayCrawl } from './pages.ts';

let site: Server;
let origin: string;
const agents = new Set<string>();
const pages: Record<string, () => [string, string]> = {
  '/good': () => [
    'text/html',
    `<meta name="twitter:card" content="summary"><meta name="twitter:card" content="summary_large_image">
     <meta property="og:title" content="A &quot;lamp&quot; &amp; more"><meta property="og:image" content="${origin}/lamp.jpg">`,
  ],
  '/relative': () => [
    'text/html',
    '<meta name="twitter:card" content="summary"><meta property="og:image" content="/a.jpg">',
  ],
  '/lamp.jpg': () => ['image/jpeg', 'x'],
  '/private': () => ['text/html', ''],
  '/robots.txt': () => ['text/plain', 'User-agent: *\nDisallow: /private\n'],
};
beforeAll(async () => {
  site = createServer((request, response) => {
    agents.add(request.headers['user-agent'] ?? '');
    const [type, body] = pages[request.url ?? '']?.() ?? [];
    response.writeHead(type ? 200 : 404, { 'content-type': type ?? 'text/plain' }).end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => site.close());

test('a page with tags becomes a card, read as Twitterbot', async () => {
  expect(await fetchCard(`${origin}/good`)).toMatchObject({
    type: 'summary_large_image',
    title: 'A "lamp" & more',
    image: `${origin}/lamp.jpg`,
    errors: [],
  });
  expect([...agents]).toEqual(['Twitterbot/1.0']);
});

test('whatever would spoil the card is named', async () => {
  expect((await fetchCard(`${origin}/private`)).errors).toEqual(['robots.txt keeps Twitterbot out']);
  expect((await fetchCard(`${origin}/gone`)).errors).toEqual(['the page answers 404']);
  expect((await fetchCard(`${origin}/relative`)).errors).toContain('the image is no absolute http(s) address');
});

test('of the rules for a crawler the longest wins, its own group before that of all', () => {
  const robots = 'User-agent: *\nDisallow: /\n\nUser-agent: Twitterbot\nDisallow: /api/\nAllow: /api/open';
  expect(mayCrawl(robots, 'Twitterbot', '/ads/1')).toBe(true);
  expect(mayCrawl(robots, 'Twitterbot', '/api/me')).toBe(false);
  expect(mayCrawl(robots, 'Twitterbot', '/api/open/1')).toBe(true);
  expect(mayCrawl(robots, 'Otherbot', '/ads/1')).toBe(false);
});

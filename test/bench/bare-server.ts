/** The baseline: a node:http server that sends the product's response bodies, which the parent process provides. */
import { createServer } from 'node:http';

interface Prepared {
  path: string;
  type: string;
  body: Uint8Array;
}

const responses = new Map<string, { headers: Record<string, string | number>; body: Uint8Array }>();
process.on('message', ({ path, type, body }: Prepared) => {
  responses.set(path, { headers: { 'Content-Type': type, 'Content-Length': body.length, ETag: '"bare"' }, body });
  process.send?.('stored');
});

createServer((req, res) => {
  const response = responses.get(req.url ?? '');
  if (!response) return res.writeHead(404).end();
  if (req.headers['if-none-match'] === '"bare"') return res.writeHead(304, { ETag: '"bare"' }).end();
  return res.writeHead(200, response.headers).end(response.body);
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));

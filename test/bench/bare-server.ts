/** The yardstick: node:http sending prepared bytes, with nothing in between. Fed by its parent with what the product answers. */
import { createServer } from 'node:http';

interface Prepared {
  path: string;
  type: string;
  body: Uint8Array;
}

const answers = new Map<string, { headers: Record<string, string | number>; body: Uint8Array }>();
process.on('message', ({ path, type, body }: Prepared) => {
  answers.set(path, { headers: { 'Content-Type': type, 'Content-Length': body.length, ETag: '"bare"' }, body });
  process.send?.('stored');
});

createServer((req, res) => {
  const answer = answers.get(req.url ?? '');
  if (!answer) return res.writeHead(404).end();
  if (req.headers['if-none-match'] === '"bare"') return res.writeHead(304, { ETag: '"bare"' }).end();
  return res.writeHead(200, answer.headers).end(answer.body);
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));

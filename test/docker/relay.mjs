// Forwards a TCP port of this container to the socket next to this file.
import { connect, createServer } from 'node:net';

createServer((near) => {
  const far = connect(new URL('x.sock', import.meta.url).pathname);
  for (const [from, to] of [
    [near, far],
    [far, near],
  ])
    from.on('error', () => to.destroy()).pipe(to);
}).listen(Number(process.argv[2]), '127.0.0.1');

import { createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

export interface SmtpServer {
  url: string;
  letters: { to: string[]; data: string }[];
  refuse(times: number): void;
}

export async function openSmtpServer(): Promise<SmtpServer> {
  const state = { letters: [] as SmtpServer['letters'], refusals: 0 };
  const server = createServer((socket) => serve(socket, state));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters: state.letters,
    refuse(times) {
      state.refusals = times;
    },
  };
}

function serve(socket: Socket, state: { letters: SmtpServer['letters']; refusals: number }): void {
  let to: string[] = [];
  let data: string[] | undefined;
  let rest = '';
  const say = (line: string) => socket.write(`${line}\r\n`);

  const endOfData = (lines: string[]) => {
    const isRefused = state.refusals > 0;
    if (isRefused) state.refusals--;
    else state.letters.push({ to, data: lines.join('\n') });
    say(isRefused ? '451 try again later' : '250 kept');
    data = undefined;
    to = [];
  };
  const handleCommand = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'QUIT') return socket.end('221 bye\r\n');
    if (verb === 'RCPT') to.push(line.slice('RCPT TO:'.length).trim());
    if (verb !== 'DATA') return say('250 ok');
    data = [];
    return say('354 go on');
  };
  const handleLine = (line: string) => {
    if (data === undefined) handleCommand(line);
    else if (line === '.') endOfData(data);
    else data.push(line.replace(/^\.\./, '.'));
  };

  say('220 loopback');
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) handleLine(line);
  });
  socket.on('error', () => {});
}

export interface StalledSmtpServer {
  url: string;
  waiting(): number;
  cut(): void;
}

/** A mail server that never completes a response, so that clients wait until it closes. */
export async function openStalledSmtpServer(): Promise<StalledSmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('220 loopback\r\n');
    // Continuation lines reset the client's idle timeout.
    const talk = setInterval(() => socket.write('250-wait\r\n'), 500);
    socket.on('close', () => {
      clearInterval(talk);
      sockets.delete(socket);
    });
  });
  afterAll(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    waiting: () => sockets.size,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

import { createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

interface Letter {
  to: string[];
  data: string;
}

export interface SmtpServer {
  url: string;
  /** Accepted mails, in order. */
  letters: Letter[];
  /** Refuses this many times, with this response to this command (the end of the data: `DATA`). */
  refuse(times: number, response?: string, command?: 'MAIL' | 'RCPT' | 'DATA'): void;
  /** Accepts mails without saying so, until `release`. */
  hold(): void;
  release(): void;
}

interface State {
  letters: Letter[];
  refusals: { times: number; response: string; command: string };
  held: (() => void)[] | undefined;
}

export async function openSmtpServer(): Promise<SmtpServer> {
  const state: State = { letters: [], refusals: { times: 0, response: '', command: '' }, held: undefined };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, state);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters: state.letters,
    refuse(times, response = '451 try again later', command = 'DATA') {
      state.refusals = { times, response, command };
    },
    hold() {
      state.held = [];
    },
    release() {
      for (const respond of state.held ?? []) respond();
      state.held = undefined;
    },
  };
}

function serve(socket: Socket, state: State): void {
  let to: string[] = [];
  let data: string[] | undefined;
  let rest = '';
  const say = (line: string) => socket.write(`${line}\r\n`);

  const isRefused = (command: string): boolean => {
    const { refusals } = state;
    if (refusals.times === 0 || refusals.command !== command) return false;
    refusals.times--;
    say(refusals.response);
    return true;
  };
  const endOfData = (lines: string[]) => {
    const letter = { to, data: lines.join('\n') };
    data = undefined;
    to = [];
    if (isRefused('DATA')) return;
    state.letters.push(letter);
    const accept = () => void say('250 kept');
    if (state.held) state.held.push(accept);
    else accept();
  };
  const handleCommand = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'QUIT') return socket.end('221 bye\r\n');
    if (verb === 'MAIL' || verb === 'RSET') to = [];
    if (verb !== 'DATA' && isRefused(verb)) return;
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

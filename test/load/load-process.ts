/** A process of its own that sends traffic and reports each half second to its parent; see load.ts. */
import { bucketOf, emptyWindow, type Kind, type Outcome, type Window } from './outcomes.ts';
import { openRawConnection, type RawConnection } from './raw-connection.ts';
import { createTraffic, type Material, type RawRequest } from './traffic.ts';

/** `rate`: requests begin at this rate, at random times, whatever becomes of them. `connections`: one after another. */
export type Pace = { rate: number } | { connections: number };
export type Command =
  | { do: 'prepare'; port: number; material: Material; seed: number }
  | { do: 'run'; run: number; pace: Pace }
  | { do: 'stop'; run: number };
export interface Report {
  run: number;
  window: Window;
  /** No request of a run that ended is under way anymore. */
  isSettled: boolean;
}

const WINDOW_MS = 500;
const GIVE_UP_MS = 10_000;
/** Each address has its own range of ports. */
const LOCAL_ADDRESSES = 200;

interface Run {
  id: number;
  startedMs: number;
  window: Window;
  underWay: number;
  isEnded: boolean;
}

let port = 0;
let next: () => RawRequest;
let current: Run | undefined;
const unsettled = new Set<Run>();
const waiting = new Set<{ since: number; giveUp(): void }>();
let opened = 0;

interface Slot {
  connection: RawConnection;
  isOpen: boolean;
  onLost(): void;
}
const idle: Slot[] = [];

function open(): Slot {
  const connection = openRawConnection(port, `127.0.0.${2 + (opened++ % LOCAL_ADDRESSES)}`, () => {
    slot.isOpen = false;
    slot.onLost();
  });
  const slot: Slot = { connection, isOpen: true, onLost: () => {} };
  return slot;
}

function takeIdle(): Slot {
  for (let slot = idle.pop(); slot; slot = idle.pop()) if (slot.isOpen) return slot;
  return open();
}

const OUTCOME_OF: Record<number, Outcome> = { 503: 'shed', 429: 'limited' };
const toOutcome = (status: number): Outcome => OUTCOME_OF[status] ?? (status < 400 ? 'served' : 'failed');

function sendOne(run: Run, onEnd = () => {}): void {
  const { kind, bytes } = next();
  const since = performance.now();
  const slot = takeIdle();
  run.window.sent++;
  run.underWay++;
  const request = { since, giveUp: () => end('timedOut') };
  const end = (outcome: Outcome) => {
    slot.onLost = () => {};
    waiting.delete(request);
    count(run, kind, outcome, performance.now() - since);
    if (outcome === 'timedOut') slot.connection.destroy();
    else if (slot.isOpen) idle.push(slot);
    onEnd();
  };
  waiting.add(request);
  slot.onLost = () => end('refused');
  slot.connection.send(bytes, (status, isLast) => {
    if (isLast) slot.isOpen = false;
    end(toOutcome(status));
  });
}

function count(run: Run, kind: Kind, outcome: Outcome, ms: number): void {
  run.underWay--;
  const tally = run.window.kinds[kind];
  tally.counts[outcome]++;
  if (outcome === 'served') tally.times[bucketOf(ms)]!++;
}

function keepRate(run: Run, rate: number): void {
  let due = performance.now();
  const sendDue = () => {
    if (run.isEnded) return;
    const now = performance.now();
    while (due <= now) {
      run.window.lateMs = Math.max(run.window.lateMs, now - due);
      due += (-Math.log(1 - Math.random()) * 1000) / rate;
      sendOne(run);
    }
    setTimeout(sendDue, 1);
  };
  sendDue();
}

function keepBusy(run: Run): void {
  if (!run.isEnded) sendOne(run, () => setImmediate(keepBusy, run));
}

function begin(id: number, pace: Pace): void {
  endCurrent();
  const run: Run = { id, startedMs: performance.now(), window: emptyWindow(), underWay: 0, isEnded: false };
  current = run;
  unsettled.add(run);
  if ('rate' in pace) keepRate(run, pace.rate);
  else for (let i = 0; i < pace.connections; i++) keepBusy(run);
}

function endCurrent(): void {
  if (current) current.isEnded = true;
  current = undefined;
}

setInterval(() => {
  const now = performance.now();
  for (const request of waiting) {
    if (now - request.since < GIVE_UP_MS) break;
    request.giveUp();
  }
  for (const run of unsettled) {
    const isSettled = run.isEnded && run.underWay === 0;
    const window = { ...run.window, endMs: now - run.startedMs };
    run.window = emptyWindow();
    if (isSettled) unsettled.delete(run);
    process.send?.({ run: run.id, window, isSettled } satisfies Report);
  }
}, WINDOW_MS);

process.on('message', (command: Command) => {
  if (command.do === 'prepare') {
    port = command.port;
    next = createTraffic(command.material, command.seed);
  } else if (command.do === 'run') begin(command.run, command.pace);
  else if (current?.id === command.run) endCurrent();
});
process.once('disconnect', () => process.exit());

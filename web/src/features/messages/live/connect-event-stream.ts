import type { EventsOf } from '../../../../../contract/endpoint.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { streamMessages } from '../../../../../contract/messages.ts';

type Events = EventsOf<typeof streamMessages>;
type Handlers = { [Name in Exclude<keyof Events, 'beat'>]: (data: Events[Name]) => void };

const FIRST_RETRY_MS = 1000;
const SLOWEST_RETRY_MS = 60_000;
/** Two beats and a little: a connection that died without a word is taken for broken then. */
const SILENCE_MS = LIMITS.streamBeatSeconds * 2500;

/** Keeps a stream of message events open, coming back later and later while that fails; returns how to end it. */
export const connectEventStream = (handlers: Handlers): (() => void) => {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout>;
  let failures = 0;

  const expectWord = () => {
    clearTimeout(timer);
    timer = setTimeout(retry, SILENCE_MS);
  };
  const listen = <Name extends keyof Events>(name: Name, handle: (data: Events[Name]) => void) =>
    source?.addEventListener(name, ({ data }) => {
      expectWord();
      handle(JSON.parse(data));
    });

  const open = () => {
    // EventSource comes back by itself after some failures and not after others: we always do it
    source = new EventSource(streamMessages.path);
    source.addEventListener('error', retry);
    listen('live', (data) => {
      failures = 0;
      handlers.live(data);
    });
    listen('message', handlers.message);
    listen('unread', handlers.unread);
    listen('beat', () => {});
    expectWord();
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
  };
  const retry = () => {
    close();
    handlers.live({ isLive: false });
    const wait = Math.min(FIRST_RETRY_MS * 2 ** failures++, SLOWEST_RETRY_MS);
    // not all browsers of a server that restarts at the same moment
    timer = setTimeout(open, wait * (0.5 + Math.random()));
  };

  open();
  return close;
};

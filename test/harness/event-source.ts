export interface TestEventSource {
  status: number;
  headers: Headers;
  events: { name: string; data: unknown }[];
  of(name: string): unknown[];
  isOpen(): boolean;
  /** Settles when the server has ended the stream. */
  ended: Promise<void>;
  text(): Promise<string>;
  close(): Promise<void>;
}

const parseEvent = (block: string): { name: string; data: unknown } => {
  const toField = (line: string) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const;
  const fields = new Map(block.split('\n').map(toField));
  return { name: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? 'null') };
};

export async function openEventSource(url: string, headers: Record<string, string>): Promise<TestEventSource> {
  const gone = new AbortController();
  const response = await fetch(url, { headers: { ...headers, Accept: 'text/event-stream' }, signal: gone.signal });
  const isStream = response.ok;
  const events: TestEventSource['events'] = [];
  let isOpen = isStream;
  const read = async () => {
    let rest = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      events.push(...blocks.map(parseEvent));
    }
  };
  const ended = isStream ? read().finally(() => (isOpen = false)) : Promise.resolve();
  // A caller that closes the stream does not await its end.
  ended.catch(() => {});
  return {
    status: response.status,
    headers: response.headers,
    events,
    of: (name) => events.filter((event) => event.name === name).map(({ data }) => data),
    isOpen: () => isOpen,
    ended,
    text: () => response.text(),
    async close() {
      gone.abort();
      await ended.catch(() => {});
    },
  };
}

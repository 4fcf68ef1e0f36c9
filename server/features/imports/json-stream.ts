import { Readable } from 'node:stream';

async function* writeJson(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** A list as JSON, as its items come. */
export const streamJson = (items: AsyncIterable<unknown>): Readable =>
  Readable.from(writeJson(items), { objectMode: false });

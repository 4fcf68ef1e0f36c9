import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';

const LARGE = 1024 * 1024;
const SECONDS_SMALL = 15;
const SECONDS_LARGE = 120;

/** Takes a chunk; the next one comes once the promise has resolved. */
export type Sink = (chunk: Buffer) => Promise<void> | void;

/**
 * Feeds a request's body to a sink and returns its size. Throws payload_too_large as soon as it is, and
 * client_closed_request when the client goes away or takes longer than two minutes (15 s for a small body).
 */
export function takeBody(req: IncomingMessage, limit: number, sink: Sink): Promise<number> {
  return new Promise((resolve, reject) => {
    let size = 0;
    let writing = Promise.resolve();
    const timer = setTimeout(() => stop(new AppError('client_closed_request')), secondsFor(limit) * 1000);
    const stop = (error: unknown) => {
      clearTimeout(timer);
      req.off('data', onData);
      req.pause();
      // the file is closed by whoever waits here: not while a chunk is being written
      void writing.finally(() => reject(error));
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return stop(new AppError('payload_too_large'));
      const done = sink(chunk);
      if (!done) return;
      req.pause();
      writing = done.then(() => void req.resume(), stop);
    };
    req.on('data', onData);
    req.once('end', () => {
      clearTimeout(timer);
      void writing.then(() => resolve(size));
    });
    req.once('error', (cause) => stop(new AppError('client_closed_request', { cause })));
    req.once('close', () => req.complete || stop(new AppError('client_closed_request')));
  });
}

const secondsFor = (limit: number) => (limit > LARGE ? SECONDS_LARGE : SECONDS_SMALL);

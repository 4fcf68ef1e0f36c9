type Answer = { id: string; dataUrl: string } | { id: string; error: string };

/** The file is no picture that this browser can read; every other failure may be gone at the next try. */
export class UnreadablePicture extends Error {}

/**
 * Shrinks photographs one after another in a worker, so that the page stays responsive and a phone never holds more
 * than one of them unpacked.
 */
export const openImageResizer = () => {
  const waiting = new Map<string, { resolve: (dataUrl: string) => void; reject: (reason: Error) => void }>();
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const close = () => {
    worker?.terminate();
    worker = undefined;
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./resize.worker.ts', import.meta.url), { type: 'module' });
    started.onmessage = ({ data }: MessageEvent<Answer>) => {
      const caller = waiting.get(data.id);
      waiting.delete(data.id);
      if ('dataUrl' in data) caller?.resolve(data.dataUrl);
      else caller?.reject(new UnreadablePicture(data.error));
    };
    // Its code could not be had, or it ran out of memory: it answers nothing any more, the next picture starts another.
    started.onerror = () => {
      close();
      for (const { reject } of waiting.values()) reject(new Error('The picture could not be processed'));
      waiting.clear();
    };
    return started;
  };

  const send = (id: string, file: File): Promise<string> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker ??= start();
      worker.postMessage({ id, file });
    });

  return {
    resize: (id: string, file: File): Promise<string> => {
      const result = last.then(() => send(id, file));
      last = result.catch(() => {});
      return result;
    },
    close,
  };
};

export type ImageResizer = ReturnType<typeof openImageResizer>;

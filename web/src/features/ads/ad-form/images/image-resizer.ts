type Answer = { id: string; dataUrl: string } | { id: string; error: string };

/**
 * Shrinks photographs one after another in a worker, so that the page stays responsive and a phone never holds more
 * than one of them unpacked.
 */
export const openImageResizer = () => {
  const worker = new Worker(new URL('./resize.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<string, { resolve: (dataUrl: string) => void; reject: (reason: Error) => void }>();
  let last: Promise<unknown> = Promise.resolve();

  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const caller = waiting.get(data.id);
    waiting.delete(data.id);
    if ('dataUrl' in data) caller?.resolve(data.dataUrl);
    else caller?.reject(new Error(data.error));
  };
  worker.onerror = () => {
    for (const { reject } of waiting.values()) reject(new Error('The picture could not be processed'));
    waiting.clear();
  };

  const send = (id: string, file: File): Promise<string> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, file });
    });

  return {
    resize: (id: string, file: File): Promise<string> => {
      const result = last.then(() => send(id, file));
      last = result.catch(() => {});
      return result;
    },
    close: () => worker.terminate(),
  };
};

export type ImageResizer = ReturnType<typeof openImageResizer>;

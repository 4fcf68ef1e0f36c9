const HEIC = /^ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)$/;

/** Why a browser cannot decode a file as an image. Browsers other than Safari cannot read the `heic` photos of an iPhone. */
export interface Unreadable {
  reason: 'heic' | 'empty' | 'other';
}

const findReason = async (file: Blob): Promise<Unreadable['reason']> => {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(4, 12).arrayBuffer()));
  if (HEIC.test(head)) return 'heic';
  return file.size === 0 ? 'empty' : 'other';
};

type Resized = { photo: Blob } | Unreadable;

type WorkerReply = { id: string; photo: Blob } | { id: string; error: string };

/**
 * Resizes photos in a worker, one at a time: a phone cannot hold several decoded photos in memory. What it throws may be
 * temporary.
 */
export const createImageResizer = () => {
  const waiting = new Map<string, { resolve: (reply: WorkerReply) => void; reject: (reason: Error) => void }>();
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const close = () => {
    worker?.terminate();
    worker = undefined;
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./resize.worker.ts', import.meta.url), { type: 'module' });
    started.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      const caller = waiting.get(data.id);
      waiting.delete(data.id);
      caller?.resolve(data);
    };
    // The code did not load, or the memory was exhausted. The next photo starts a new worker.
    started.onerror = () => {
      close();
      for (const { reject } of waiting.values()) reject(new Error('The photo could not be processed'));
      waiting.clear();
    };
    return started;
  };

  const send = (id: string, file: Blob, turns: number): Promise<WorkerReply> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker ??= start();
      worker.postMessage({ id, file, turns });
    });

  return {
    /** `turns`: quarters to the right. */
    async resize(id: string, file: Blob, turns = 0): Promise<Resized> {
      const replying = last.then(() => send(id, file, turns));
      last = replying.catch(() => {});
      const reply = await replying;
      return 'photo' in reply ? reply : { reason: await findReason(file) };
    },
    close,
  };
};

export type ImageResizer = ReturnType<typeof createImageResizer>;

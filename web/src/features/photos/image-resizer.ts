const HEIC = /^ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)$/;

/** Browsers other than Safari cannot read the photos of an iPhone. */
const describeUnreadable = async (file: File): Promise<string> => {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(4, 12).arrayBuffer()));
  if (HEIC.test(head))
    return `${file.name} is a HEIC photo, which this browser cannot read. Save it as JPEG and try again.`;
  if (file.size === 0) return `${file.name} is empty. Please choose another file.`;
  return `${file.name} could not be read. Try a JPEG, PNG or WebP.`;
};

/** What became of a file: `unreadable` says why the browser cannot decode it as an image. */
type Resized = { photo: Blob } | { unreadable: string };

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

  const send = (id: string, file: File): Promise<WorkerReply> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker ??= start();
      worker.postMessage({ id, file });
    });

  return {
    async resize(id: string, file: File): Promise<Resized> {
      const replying = last.then(() => send(id, file));
      last = replying.catch(() => {});
      const reply = await replying;
      return 'photo' in reply ? reply : { unreadable: await describeUnreadable(file) };
    },
    close,
  };
};

export type ImageResizer = ReturnType<typeof createImageResizer>;

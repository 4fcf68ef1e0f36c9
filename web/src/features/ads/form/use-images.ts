import { useEffect, useRef, useState } from 'react';
import type { Image } from '../../../../../contract/ads.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { createKey } from '../../../api/client.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';

export interface FormImage {
  id: string;
  name: string;
  /**
   * Sent to the API: a data URL, or the URL of a photo that the ad already has. null while the photo is being resized.
   */
  value: string | null;
  preview: string | null;
}

// an ad may have the same photo twice
const fromAd = ({ url, thumbUrl }: Image, index: number): FormImage => ({
  id: createKey(),
  name: `Photo ${index + 1}`,
  value: url,
  preview: thumbUrl,
});

const moved = <T>(list: T[], from: number, to: number): T[] => {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, list[from] as T);
};

export const useImages = (initial: Image[], rules: ImageRules) => {
  const { maxImages } = useSiteConfig();
  const [saved] = useState(() => initial.map(fromAd));
  const [images, setImages] = useState<FormImage[]>(saved);
  const [serverError, setServerError] = useState<{ message: string | undefined; images: FormImage[] }>();
  const [refused, setRefused] = useState<string[]>([]);
  const resizerRef = useRef<ImageResizer>(undefined);
  const toast = useToast();
  useEffect(() => () => resizerRef.current?.close(), []);

  // The photo may have been removed meanwhile.
  const setValue = (id: string, value: string) =>
    setImages((now) => now.map((image) => (image.id === id ? { ...image, value, preview: value } : image)));
  const remove = (id: string) => setImages((now) => now.filter((image) => image.id !== id));

  const shrink = async (id: string, file: File) => {
    resizerRef.current ??= createImageResizer();
    try {
      setValue(id, await resizerRef.current.resize(id, file));
    } catch (error) {
      remove(id);
      const title = error instanceof UnreadableImage ? rules.notAnImage.title : 'Error';
      const description =
        error instanceof UnreadableImage
          ? await describeUnreadable(file)
          : `${file.name} could not be prepared. Please choose it again.`;
      toast.error(description, title);
      setRefused((now) => [...now, description]);
    }
  };

  const add = (files: File[]) => {
    const { accepted, messages, refused: refusals } = validateFiles(files, maxImages - images.length, rules, maxImages);
    for (const { title, description } of messages) toast.error(description, title);
    setRefused(refusals);
    const added = accepted.map((file) => ({ file, id: createKey() }));
    if (added.length === 0) return;
    setImages((now) => [...now, ...added.map(({ file, id }) => ({ id, name: file.name, value: null, preview: null }))]);
    for (const { file, id } of added) void shrink(id, file);
  };

  return {
    images,
    isDirty: images.length !== saved.length || images.some(({ id }, index) => id !== saved[index]?.id),
    maxImages,
    isWorking: images.some(({ value }) => value === null),
    values: images.flatMap(({ value }) => value ?? []).slice(0, maxImages),
    /** The server's error. It applies to these photos only and disappears when they change. */
    error: serverError?.images === images ? serverError.message : undefined,
    setError: (message: string | undefined) => setServerError({ message, images }),
    /** Why files of the last choice were refused, each with its name. */
    refused,
    revision: images,
    add,
    remove,
    move: (from: number, to: number) => setImages((now) => (now[to] ? moved(now, from, to) : now)),
  };
};

export type Images = ReturnType<typeof useImages>;

interface ValidationMessage {
  title: string;
  description: string;
}

export interface ImageRules {
  maxBytes: number;
  tooMany: (max: number) => ValidationMessage;
  notAnImage: ValidationMessage;
  tooLarge: ValidationMessage;
}

const countImages = (count: number): string => `${count} ${count === 1 ? 'image' : 'images'}`;

export const CREATE_RULES: ImageRules = {
  maxBytes: LIMITS.imageBytesCreate,
  tooMany: (max) => ({
    title: 'Maximum images reached',
    description: `You can only upload up to ${countImages(max)} per ad.`,
  }),
  notAnImage: { title: 'Invalid file type', description: 'Please select only image files.' },
  tooLarge: { title: 'File too large', description: 'Images must be less than 5MB each.' },
};

export const EDIT_RULES: ImageRules = {
  maxBytes: LIMITS.imageBytesEdit,
  tooMany: (max) => ({ title: 'Too many images', description: `You can upload a maximum of ${countImages(max)}.` }),
  notAnImage: { title: 'Invalid file type', description: 'Please upload only image files.' },
  tooLarge: { title: 'File too large', description: 'Please upload images smaller than 10MB.' },
};

// A browser that does not know the end of a name gives no type, or this one. Then the content decides.
const UNKNOWN_TYPE = /^(|application\/octet-stream)$/;

const isPerhapsImage = ({ type }: File): boolean => type.startsWith('image/') || UNKNOWN_TYPE.test(type);

/** `messages`: each reason once; `refused`: the reason for each file that is not accepted. */
export const validateFiles = (files: File[], free: number, rules: ImageRules, max: number) => {
  let left = Math.max(0, free);
  const judged = files.map((file) => {
    if (!isPerhapsImage(file)) return { file, problem: rules.notAnImage };
    if (file.size > rules.maxBytes) return { file, problem: rules.tooLarge };
    return left-- > 0 ? { file } : { file, problem: rules.tooMany(max) };
  });
  const problems = judged.flatMap(({ file, problem }) => (problem ? [{ name: file.name, problem }] : []));
  const titles = new Map(problems.map(({ problem }) => [problem.title, problem]));
  return {
    accepted: judged.flatMap(({ file, problem }) => (problem ? [] : [file])),
    messages: [...titles.values()],
    refused: problems.map(({ name, problem }) => `${name}: ${problem.description}`),
  };
};

const HEIC = /^ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)$/;

/** Browsers other than Safari cannot read the photos of an iPhone. */
const describeUnreadable = async (file: File): Promise<string> => {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(4, 12).arrayBuffer()));
  if (HEIC.test(head))
    return `${file.name} is a HEIC photo, which this browser cannot read. Save it as JPEG and try again.`;
  if (file.size === 0) return `${file.name} is empty. Please choose another file.`;
  return `${file.name} could not be read. Try a JPEG, PNG or WebP.`;
};

type WorkerReply = { id: string; dataUrl: string } | { id: string; error: string };

/** The browser cannot decode the file as an image. All other failures may be temporary. */
export class UnreadableImage extends Error {}

/** Resizes photos in a worker, one at a time: a phone cannot hold several decoded photos in memory. */
export const createImageResizer = () => {
  const waiting = new Map<string, { resolve: (dataUrl: string) => void; reject: (reason: Error) => void }>();
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
      if ('dataUrl' in data) caller?.resolve(data.dataUrl);
      else caller?.reject(new UnreadableImage(data.error));
    };
    // The code did not load, or the memory was exhausted. The next photo starts a new worker.
    started.onerror = () => {
      close();
      for (const { reject } of waiting.values()) reject(new Error('The photo could not be processed'));
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

export type ImageResizer = ReturnType<typeof createImageResizer>;

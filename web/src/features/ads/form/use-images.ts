import { useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { LIMITS } from '../../../../../contract/limits.ts';
import { uploadPhoto } from '../../../../../contract/photos.ts';
import { createKey, getErrorMessage } from '../../../api/client.ts';
import { uploadFile } from '../../../api/upload.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import type { AdValues } from './ad-values.ts';

export interface FormImage {
  id: string;
  name: string;
  /** Its address; null until it is uploaded. */
  url: string | null;
  /** null while the photo is being resized. */
  preview: string | null;
  /** The share that was uploaded, from 0 to 1. */
  progress: number;
  /** Why the upload failed. */
  problem?: string | undefined;
}

// an ad may have the same photo twice
const fromUrl = (url: string, index: number): FormImage => ({
  id: createKey(),
  name: `Photo ${index + 1}`,
  url,
  preview: url.replace(/full\.jpg$/, 'thumb.jpg'),
  progress: 1,
});

const moved = <T>(list: T[], from: number, to: number): T[] => {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, list[from] as T);
};

/** What is left to do for a photo that is not uploaded. */
interface Work {
  file: File;
  photo?: Blob;
  controller: AbortController;
}

const UPLOAD_FAILED = 'It could not be uploaded. Check your connection and try again.';

/** The photos of an ad form: resized and uploaded one after another while the person types. */
export const useImages = (form: UseFormReturn<AdValues>, rules: ImageRules) => {
  const { maxImages } = useSiteConfig();
  const [images, setImages] = useState<FormImage[]>(() => form.getValues('imageUrls').map(fromUrl));
  const [serverError, setServerError] = useState<{ message: string | undefined; images: FormImage[] }>();
  const [refused, setRefused] = useState<string[]>([]);
  const latestRef = useRef(images);
  const workRef = useRef(new Map<string, Work>());
  const resizerRef = useRef<ImageResizer>(undefined);
  const uploadsRef = useRef<Promise<unknown>>(Promise.resolve());
  const toast = useToast();

  const change = (update: (now: FormImage[]) => FormImage[]) => {
    latestRef.current = update(latestRef.current);
    setImages(latestRef.current);
    const urls = latestRef.current.flatMap(({ url }) => url ?? []);
    if (urls.join() !== form.getValues('imageUrls').join()) form.setValue('imageUrls', urls, { shouldDirty: true });
  };
  const patch = (id: string, part: Partial<FormImage>) =>
    change((now) => now.map((image) => (image.id === id ? { ...image, ...part } : image)));

  const stop = (id: string) => {
    workRef.current.get(id)?.controller.abort();
    workRef.current.delete(id);
    const preview = latestRef.current.find((image) => image.id === id)?.preview;
    if (preview?.startsWith('blob:')) URL.revokeObjectURL(preview);
  };
  const remove = (id: string) => {
    stop(id);
    change((now) => now.filter((image) => image.id !== id));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the form is left
  useEffect(
    () => () => {
      for (const { id } of latestRef.current) stop(id);
      resizerRef.current?.close();
    },
    [],
  );

  const shrink = async (id: string, file: File): Promise<Blob | undefined> => {
    resizerRef.current ??= createImageResizer();
    try {
      return await resizerRef.current.resize(id, file);
    } catch (error) {
      // the form was left, or the photo removed
      if (!workRef.current.has(id)) return undefined;
      remove(id);
      const title = error instanceof UnreadableImage ? rules.notAnImage.title : 'Error';
      const description =
        error instanceof UnreadableImage
          ? await describeUnreadable(file)
          : `${file.name} could not be prepared. Please choose it again.`;
      toast.error(description, title);
      setRefused((now) => [...now, description]);
      return undefined;
    }
  };

  const upload = async (id: string): Promise<void> => {
    const work = workRef.current.get(id);
    if (!work?.photo) return;
    const { signal } = work.controller;
    const onProgress = (progress: number) => patch(id, { progress });
    try {
      const { url } = await uploadFile(uploadPhoto, work.photo, { signal, onProgress });
      workRef.current.delete(id);
      patch(id, { url, progress: 1 });
    } catch (error) {
      if (!signal.aborted) patch(id, { problem: getErrorMessage(error, UPLOAD_FAILED) });
    }
  };
  // one at a time: the first photos of a slow line are done sooner, and other requests find a free connection
  const queueUpload = (id: string): void => {
    uploadsRef.current = uploadsRef.current.then(() => upload(id));
  };

  const prepare = async (id: string, file: File): Promise<void> => {
    const photo = await shrink(id, file);
    const work = workRef.current.get(id);
    if (!photo || !work) return;
    work.photo = photo;
    patch(id, { preview: URL.createObjectURL(photo) });
    queueUpload(id);
  };

  const add = (files: File[]) => {
    const { accepted, messages, refused: refusals } = validateFiles(files, maxImages - images.length, rules, maxImages);
    for (const { title, description } of messages) toast.error(description, title);
    setRefused(refusals);
    const added = accepted.map((file) => ({ file, id: createKey() }));
    if (added.length === 0) return;
    for (const { file, id } of added) workRef.current.set(id, { file, controller: new AbortController() });
    change((now) => [
      ...now,
      ...added.map(({ file, id }) => ({ id, name: file.name, url: null, preview: null, progress: 0 })),
    ]);
    for (const { file, id } of added) void prepare(id, file);
  };

  return {
    images,
    maxImages,
    /** Some photos are not in the form's values yet: leaving loses them. */
    isUnsent: images.some(({ url }) => url === null),
    isWorking: images.some(({ url, problem }) => url === null && problem === undefined),
    hasFailed: images.some(({ problem }) => problem !== undefined),
    /** The server's error. It applies to these photos only and disappears when they change. */
    error: serverError?.images === images ? serverError.message : undefined,
    setError: (message: string | undefined) => setServerError({ message, images }),
    /** Why files of the last choice were refused, each with its name. */
    refused,
    add,
    remove,
    retry: (id: string) => {
      patch(id, { problem: undefined, progress: 0 });
      queueUpload(id);
    },
    move: (from: number, to: number) => change((now) => (now[to] ? moved(now, from, to) : now)),
    clear: () => {
      for (const { id } of latestRef.current) remove(id);
    },
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

type WorkerReply = { id: string; photo: Blob } | { id: string; error: string };

/** The browser cannot decode the file as an image. All other failures may be temporary. */
export class UnreadableImage extends Error {}

/** Resizes photos in a worker, one at a time: a phone cannot hold several decoded photos in memory. */
export const createImageResizer = () => {
  const waiting = new Map<string, { resolve: (photo: Blob) => void; reject: (reason: Error) => void }>();
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
      if ('photo' in data) caller?.resolve(data.photo);
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

  const send = (id: string, file: File): Promise<Blob> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker ??= start();
      worker.postMessage({ id, file });
    });

  return {
    resize: (id: string, file: File): Promise<Blob> => {
      const result = last.then(() => send(id, file));
      last = result.catch(() => {});
      return result;
    },
    close,
  };
};

export type ImageResizer = ReturnType<typeof createImageResizer>;

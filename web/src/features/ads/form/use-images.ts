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

const fromAd = ({ url, thumbUrl }: Image, index: number): FormImage => ({
  id: url,
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
      const message =
        error instanceof UnreadableImage
          ? { title: rules.notAnImage.title, description: `${file.name} could not be read. Try a JPEG, PNG or WebP.` }
          : { title: 'Error', description: `${file.name} could not be prepared. Please choose it again.` };
      toast.error(message.description, message.title);
    }
  };

  const add = (files: File[]) => {
    const { accepted, message } = validateFiles(files, maxImages - images.length, rules);
    if (message) toast.error(message.description, message.title);
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
  tooMany: ValidationMessage;
  notAnImage: ValidationMessage;
  tooLarge: ValidationMessage;
}

export const CREATE_RULES: ImageRules = {
  maxBytes: LIMITS.imageBytesCreate,
  tooMany: { title: 'Maximum images reached', description: 'You can only upload up to 5 images per ad.' },
  notAnImage: { title: 'Invalid file type', description: 'Please select only image files.' },
  tooLarge: { title: 'File too large', description: 'Images must be less than 5MB each.' },
};

export const EDIT_RULES: ImageRules = {
  maxBytes: LIMITS.imageBytesEdit,
  tooMany: { title: 'Too many images', description: 'You can upload a maximum of 5 images.' },
  notAnImage: { title: 'Invalid file type', description: 'Please upload only image files.' },
  tooLarge: { title: 'File too large', description: 'Please upload images smaller than 10MB.' },
};

export const validateFiles = (files: File[], free: number, rules: ImageRules) => {
  const validate = (file: File): ValidationMessage | undefined => {
    if (!file.type.startsWith('image/')) return rules.notAnImage;
    return file.size > rules.maxBytes ? rules.tooLarge : undefined;
  };
  const fitting = files.filter((file) => !validate(file));
  const message = files.map(validate).find(Boolean) ?? (fitting.length > free ? rules.tooMany : undefined);
  return { accepted: fitting.slice(0, Math.max(0, free)), message };
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

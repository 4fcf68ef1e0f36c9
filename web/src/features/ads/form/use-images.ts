import { useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { createKey } from '../../../api/client.ts';
import { importWithRetry } from '../../../lib/chunks.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import type { AdValues } from './ad-values.ts';
import type { PhotoUploader } from './photo-uploader.ts';

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
  preview: url.replace('full.jpg', 'thumb.jpg'),
  progress: 1,
});

// needed once a photo is chosen
const loadUploader = () => importWithRetry(() => import('./photo-uploader.ts'));

/** The photos of an ad form: resized and uploaded one after another while the person types. */
export const useImages = (form: UseFormReturn<AdValues>, rules: ImageRules) => {
  const { maxImages } = useSiteConfig();
  const [images, setImages] = useState<FormImage[]>(() => form.getValues('imageUrls').map(fromUrl));
  const [serverError, setServerError] = useState<{ message: string | undefined; images: FormImage[] }>();
  const [refused, setRefused] = useState<string[]>([]);
  const latestRef = useRef(images);
  const uploaderRef = useRef<PhotoUploader>(undefined);
  const isLeftRef = useRef(false);
  const toast = useToast();

  const change = (update: (now: FormImage[]) => FormImage[]) => {
    latestRef.current = update(latestRef.current);
    setImages(latestRef.current);
    const urls = latestRef.current.flatMap(({ url }) => url ?? []);
    if (urls.join() !== form.getValues('imageUrls').join()) form.setValue('imageUrls', urls, { shouldDirty: true });
  };
  const patch = (id: string, part: Partial<FormImage>) =>
    change((now) => now.map((image) => (image.id === id ? { ...image, ...part } : image)));

  const remove = (id: string) => {
    uploaderRef.current?.remove(id);
    change((now) => now.filter((image) => image.id !== id));
  };
  useEffect(() => {
    isLeftRef.current = false;
    return () => {
      isLeftRef.current = true;
      uploaderRef.current?.close();
    };
  }, []);

  const isWanted = (id: string): boolean => !isLeftRef.current && latestRef.current.some((image) => image.id === id);
  const refuse = (id: string, reason: string, title?: string) => {
    if (!isWanted(id)) return;
    remove(id);
    toast.error(reason, title);
    setRefused((now) => [...now, reason]);
  };
  const upload = async (id: string, file: File): Promise<void> => {
    try {
      const { createPhotoUploader } = await loadUploader();
      if (!isWanted(id)) return;
      uploaderRef.current ??= createPhotoUploader(patch);
      const unreadable = await uploaderRef.current.add(id, file);
      if (unreadable) refuse(id, unreadable, rules.notAnImage.title);
    } catch {
      refuse(id, `${file.name} could not be prepared. Please choose it again.`);
    }
  };

  const add = (files: File[]) => {
    const { accepted, messages, refused: refusals } = validateFiles(files, maxImages - images.length, rules, maxImages);
    for (const { title, description } of messages) toast.error(description, title);
    setRefused(refusals);
    const added = accepted.map((file) => ({ file, id: createKey() }));
    if (added.length === 0) return;
    change((now) => [
      ...now,
      ...added.map(({ file, id }) => ({ id, name: file.name, url: null, preview: null, progress: 0 })),
    ]);
    for (const { file, id } of added) void upload(id, file);
  };

  return {
    images,
    maxImages,
    /** Some photos are not in the form's values yet: leaving loses them. */
    isUnsent: images.some(({ url }) => !url),
    isWorking: images.some(({ url, problem }) => !url && !problem),
    hasFailed: images.some(({ problem }) => problem),
    /** The server's error. It applies to these photos only and disappears when they change. */
    error: serverError?.images === images ? serverError.message : undefined,
    setError: (message: string | undefined) => setServerError({ message, images }),
    /** Why files of the last choice were refused, each with its name. */
    refused,
    add,
    remove,
    retry: (id: string) => uploaderRef.current?.retry(id),
    move: (from: number, to: number) =>
      change((now) => (now[to] ? now.toSpliced(from, 1).toSpliced(to, 0, now[from] as FormImage) : now)),
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

export const countImages = (count: number): string => `${count} image${count === 1 ? '' : 's'}`;

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

import { useEffect, useRef, useState } from 'react';
import { createKey } from '../../api/client.ts';
import { importWithRetry } from '../../lib/chunks.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import type { PhotoUploader, SendPhoto } from './photo-uploader.ts';

export interface FormPhoto {
  id: string;
  name: string;
  /** What the form sends for it; null until it is uploaded. */
  value: string | null;
  /** null while the photo is being resized. */
  preview: string | null;
  /** The share that was uploaded, from 0 to 1. */
  progress: number;
  /** Why the upload failed. */
  problem?: string | undefined;
}

// an ad may have the same photo twice
const fromUrl = (url: string, index: number): FormPhoto => ({
  id: createKey(),
  name: `Photo ${index + 1}`,
  value: url,
  preview: url.replace('full.jpg', 'thumb.jpg'),
  progress: 1,
});

const listValues = (photos: FormPhoto[]): string[] => photos.flatMap(({ value }) => value ?? []);

// needed once a photo is chosen
const loadUploader = () => importWithRetry(() => import('./photo-uploader.ts'));

interface PhotosOptions {
  /** The addresses of the photos that the form opened with. */
  saved?: readonly string[];
  max: number;
  rules: PhotoRules;
  loadSend: () => Promise<SendPhoto>;
  /** The uploaded photos changed. */
  onChange?: (values: string[]) => void;
}

/** The photos of a form: resized and uploaded one after another while the person types. */
export const usePhotos = ({ saved = [], max, rules, loadSend, onChange }: PhotosOptions) => {
  const [photos, setPhotos] = useState<FormPhoto[]>(() => saved.map(fromUrl));
  const [serverError, setServerError] = useState<{ message: string | undefined; photos: FormPhoto[] }>();
  const [refused, setRefused] = useState<string[]>([]);
  const latestRef = useRef(photos);
  const uploaderRef = useRef<PhotoUploader>(undefined);
  const isLeftRef = useRef(false);
  const toast = useToast();

  const change = (update: (now: FormPhoto[]) => FormPhoto[]) => {
    const before = listValues(latestRef.current);
    latestRef.current = update(latestRef.current);
    setPhotos(latestRef.current);
    const values = listValues(latestRef.current);
    if (values.join() !== before.join()) onChange?.(values);
  };
  const patch = (id: string, part: Partial<FormPhoto>) =>
    change((now) => now.map((photo) => (photo.id === id ? { ...photo, ...part } : photo)));

  const remove = (id: string) => {
    uploaderRef.current?.remove(id);
    change((now) => now.filter((photo) => photo.id !== id));
  };
  useEffect(() => {
    isLeftRef.current = false;
    return () => {
      isLeftRef.current = true;
      uploaderRef.current?.close();
    };
  }, []);

  const isWanted = (id: string): boolean => !isLeftRef.current && latestRef.current.some((photo) => photo.id === id);
  const refuse = (id: string, reason: string, title?: string) => {
    if (!isWanted(id)) return;
    remove(id);
    toast.error(reason, title);
    setRefused((now) => [...now, reason]);
  };
  const upload = async (id: string, file: File): Promise<void> => {
    try {
      const [{ createPhotoUploader }, send] = await Promise.all([loadUploader(), loadSend()]);
      if (!isWanted(id)) return;
      uploaderRef.current ??= createPhotoUploader(patch, send);
      const unreadable = await uploaderRef.current.add(id, file);
      if (unreadable) refuse(id, unreadable, rules.notAnImage.title);
    } catch {
      refuse(id, `${file.name} could not be prepared. Please choose it again.`);
    }
  };

  const add = (files: File[]) => {
    const { accepted, messages, refused: refusals } = validateFiles(files, max - photos.length, rules, max);
    for (const { title, description } of messages) toast.error(description, title);
    setRefused(refusals);
    const added = accepted.map((file) => ({ file, id: createKey() }));
    if (added.length === 0) return;
    change((now) => [
      ...now,
      ...added.map(({ file, id }) => ({ id, name: file.name, value: null, preview: null, progress: 0 })),
    ]);
    for (const { file, id } of added) void upload(id, file);
  };

  return {
    list: photos,
    max,
    /** Some photos are not uploaded yet: leaving loses them. */
    isUnsent: photos.some(({ value }) => !value),
    isWorking: photos.some(({ value, problem }) => !value && !problem),
    hasFailed: photos.some(({ problem }) => problem),
    /** The server's error. It applies to these photos only and disappears when they change. */
    error: serverError?.photos === photos ? serverError.message : undefined,
    setError: (message: string | undefined) => setServerError({ message, photos }),
    /** Why files of the last choice were refused, each with its name. */
    refused,
    add,
    remove,
    retry: (id: string) => uploaderRef.current?.retry(id),
    move: (from: number, to: number) =>
      change((now) => (now[to] ? now.toSpliced(from, 1).toSpliced(to, 0, now[from] as FormPhoto) : now)),
    clear: () => {
      for (const { id } of latestRef.current) remove(id);
    },
  };
};

export type Photos = ReturnType<typeof usePhotos>;

interface ValidationMessage {
  title: string;
  description: string;
}

export interface PhotoRules {
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
export const validateFiles = (files: File[], free: number, rules: PhotoRules, max: number) => {
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

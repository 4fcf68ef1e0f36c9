import { useEffect, useRef, useState } from 'react';
import { type TextKey, t } from '../../../../contract/i18n.ts';
import { createKey } from '../../api/client.ts';
import { importWithRetry } from '../../lib/chunks.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import type { Unreadable } from './image-resizer.ts';
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

const toThumb = (url: string): string => url.replace('full.jpg', 'thumb.jpg');

// an ad may have the same photo twice
const fromValue = (value: string, index: number, preview: string): FormPhoto => ({
  id: createKey(),
  name: t('photos.numbered', { number: index + 1 }),
  value,
  preview,
  progress: 1,
});

/** What a person does about a file that the browser cannot open. */
const UNREADABLE: Record<Unreadable['reason'], TextKey> = {
  heic: 'photos.heic',
  empty: 'photos.empty',
  other: 'photos.unreadable',
};

const download = async (url: string): Promise<Blob> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The photo was answered with ${response.status}`);
  return response.blob();
};

const listValues = (photos: FormPhoto[]): string[] => photos.flatMap(({ value }) => value ?? []);

// needed once a photo is chosen
const loadUploader = () => importWithRetry(() => import('./photo-uploader.ts'));

interface PhotosOptions {
  /** The values of the photos that the form opened with: addresses, unless `toPreview` is given. */
  saved?: readonly string[] | undefined;
  /** The address of the small picture of such a photo. */
  toPreview?: (value: string) => string;
  max: number;
  rules: PhotoRules;
  loadSend: () => Promise<SendPhoto>;
  /** The uploaded photos changed. */
  onChange?: (values: string[]) => void;
}

/** The photos of a form: resized and uploaded one after another while the person types. */
export const usePhotos = ({ saved = [], toPreview = toThumb, max, rules, loadSend, onChange }: PhotosOptions) => {
  const fromSaved = (value: string, index: number) => fromValue(value, index, toPreview(value));
  const [photos, setPhotos] = useState<FormPhoto[]>(() => saved.map(fromSaved));
  const [serverError, setServerError] = useState<{ message: string | undefined; photos: FormPhoto[] }>();
  const [refused, setRefused] = useState<string[]>([]);
  const latestRef = useRef(photos);
  const uploaderRef = useRef<PhotoUploader>(undefined);
  /** The files, and by how many quarters they are turned; of photos that the form opened with, once they are turned. */
  const sourcesRef = useRef(new Map<string, { file: Blob; turns: number }>());
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
    sourcesRef.current.delete(id);
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
  const refuse = (
    id: string,
    { title, description }: { title?: string; description: string },
    reason = description,
  ) => {
    if (!isWanted(id)) return;
    remove(id);
    toast.error(description, title);
    setRefused((now) => [...now, reason]);
  };
  const prepare = async (id: string, file: Blob, turns: number) => {
    const [{ createPhotoUploader }, send] = await Promise.all([loadUploader(), loadSend()]);
    if (!isWanted(id)) return undefined;
    uploaderRef.current ??= createPhotoUploader(patch, send);
    return uploaderRef.current.add(id, file, turns);
  };
  const upload = async (id: string, file: File): Promise<void> => {
    sourcesRef.current.set(id, { file, turns: 0 });
    try {
      const result = await prepare(id, file, 0);
      const isLarge = (result instanceof Blob ? result : file).size > rules.maxBytes;
      if (result === undefined || (result instanceof Blob && !isLarge)) return;
      const reason = 'reason' in result ? result.reason : 'other';
      if (isLarge && reason !== 'heic') return refuse(id, rules.tooLarge(), sayProblem(file.name, rules.tooLarge()));
      refuse(id, { title: rules.notAnImage().title, description: t(UNREADABLE[reason], { name: file.name }) });
    } catch {
      refuse(id, { description: t('photos.notPrepared', { name: file.name }) });
    }
  };

  /** Turns a photo by a quarter to the right, and uploads it anew. */
  const rotate = async (id: string): Promise<void> => {
    const photo = latestRef.current.find((other) => other.id === id);
    if (!photo) return;
    patch(id, { value: null, progress: 0, problem: undefined });
    try {
      const source = sourcesRef.current.get(id) ?? { file: await download(photo.value ?? ''), turns: 0 };
      const turned = { ...source, turns: (source.turns + 1) % 4 };
      sourcesRef.current.set(id, turned);
      await prepare(id, turned.file, turned.turns);
    } catch {
      if (!isWanted(id)) return;
      patch(id, { value: photo.value, progress: 1 });
      toast.error(t('photos.notRotated'));
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
    rotate,
    retry: (id: string) => uploaderRef.current?.retry(id),
    move: (from: number, to: number) =>
      change((now) => (now[to] ? now.toSpliced(from, 1).toSpliced(to, 0, now[from] as FormPhoto) : now)),
    /** Shows the photos with these addresses instead. */
    reset: (urls: readonly string[]) => {
      for (const { id } of latestRef.current) remove(id);
      change(() => urls.map(fromSaved));
    },
  };
};

export type Photos = ReturnType<typeof usePhotos>;

interface Message {
  title: string;
  description: string;
}

export interface PhotoRules {
  /** Of what is left to send after resizing, and of a file that cannot be opened. */
  maxBytes: number;
  tooMany: (max: number) => Message;
  notAnImage: () => Message;
  tooLarge: () => Message;
}

// A browser that does not know the end of a name gives no type, or this one. Then the content decides.
const UNKNOWN_TYPE = /^(|application\/octet-stream)$/;

const isPerhapsImage = ({ type }: File): boolean => type.startsWith('image/') || UNKNOWN_TYPE.test(type);

/** No browser opens a larger file in the memory of a phone. */
const MOST_BYTES = 50 * 1024 * 1024;
const farTooLarge = (): Message => ({ title: t('photos.tooLargeTitle'), description: t('photos.farTooLarge') });

const sayProblem = (name: string, { description }: Message): string =>
  t('photos.fileProblem', { name, problem: description });

/** `messages`: each reason once; `refused`: the reason for each file that is not accepted. */
export const validateFiles = (files: File[], free: number, rules: PhotoRules, max: number) => {
  let left = Math.max(0, free);
  const judged = files.map((file) => {
    if (!isPerhapsImage(file)) return { file, problem: rules.notAnImage() };
    if (file.size > MOST_BYTES) return { file, problem: farTooLarge() };
    return left-- > 0 ? { file } : { file, problem: rules.tooMany(max) };
  });
  const problems = judged.flatMap(({ file, problem }) => (problem ? [{ name: file.name, problem }] : []));
  const titles = new Map(problems.map(({ problem }) => [problem.title, problem]));
  return {
    accepted: judged.flatMap(({ file, problem }) => (problem ? [] : [file])),
    messages: [...titles.values()],
    refused: problems.map(({ name, problem }) => sayProblem(name, problem)),
  };
};

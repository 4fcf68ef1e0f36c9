import { useEffect, useRef, useState } from 'react';
import type { Image } from '../../../../../../contract/ads.ts';
import { createKey } from '../../../../api/client.ts';
import { useToast } from '../../../../ui/toast/toast-context.ts';
import { useSiteEnv } from '../../../site/site-env.ts';
import { admitFiles, type ImageRules } from './admit-files.ts';
import { type ImageResizer, openImageResizer, UnreadablePicture } from './image-resizer.ts';

export interface FormImage {
  id: string;
  name: string;
  /** What the API is sent: a data URL, or the address of a picture that the ad already has; null while it is made. */
  value: string | null;
  preview: string | null;
}

const fromAd = ({ url, thumbUrl }: Image, index: number): FormImage => ({
  id: url,
  name: `Picture ${index + 1}`,
  value: url,
  preview: thumbUrl,
});

const moved = <T>(list: T[], from: number, to: number): T[] => {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, list[from] as T);
};

/** The pictures of the form, in their order; the first is the cover. */
export const useImages = (initial: Image[], rules: ImageRules) => {
  const { maxImages } = useSiteEnv();
  const [saved] = useState(() => initial.map(fromAd));
  const [images, setImages] = useState<FormImage[]>(saved);
  const [fault, setFault] = useState<{ words: string | undefined; about: FormImage[] }>();
  const resizer = useRef<ImageResizer>(undefined);
  const toast = useToast();
  useEffect(() => () => resizer.current?.close(), []);

  // A picture that was removed meanwhile is simply not found any more.
  const settle = (id: string, value: string) =>
    setImages((now) => now.map((image) => (image.id === id ? { ...image, value, preview: value } : image)));
  const remove = (id: string) => setImages((now) => now.filter((image) => image.id !== id));

  const shrink = async (id: string, file: File) => {
    resizer.current ??= openImageResizer();
    try {
      settle(id, await resizer.current.resize(id, file));
    } catch (error) {
      remove(id);
      const complaint =
        error instanceof UnreadablePicture
          ? { title: rules.notAnImage.title, description: `${file.name} could not be read. Try a JPEG, PNG or WebP.` }
          : { title: 'Error', description: `${file.name} could not be prepared. Please choose it again.` };
      toast({ ...complaint, variant: 'destructive' });
    }
  };

  const add = (files: File[]) => {
    const { accepted, complaint } = admitFiles(files, maxImages - images.length, rules);
    if (complaint) toast({ ...complaint, variant: 'destructive' });
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
    /** What the server has said of them; of other pictures it has said nothing. */
    problem: fault?.about === images ? fault.words : undefined,
    complain: (words: string | undefined) => setFault({ words, about: images }),
    add,
    remove,
    move: (from: number, to: number) => setImages((now) => (now[to] ? moved(now, from, to) : now)),
  };
};

export type Images = ReturnType<typeof useImages>;

import { t } from '../../../../contract/i18n.ts';
import { getErrorMessage } from '../../api/client.ts';
import type { UploadOptions } from '../../api/upload.ts';
import { createImageResizer, type Unreadable } from './image-resizer.ts';

/** Sends the file of a photo, and returns what the form then sends for it. */
export type SendPhoto = (photo: Blob, options: UploadOptions) => Promise<string>;

type Report = (
  id: string,
  change: { preview?: string; progress?: number; value?: string | null; problem?: string | undefined },
) => void;

interface Work {
  photo?: Blob;
  preview?: string;
  controller: AbortController;
}

/** Resizes and uploads photos one after another. */
export const createPhotoUploader = (report: Report, send: SendPhoto) => {
  const resizer = createImageResizer();
  const works = new Map<string, Work>();
  let last: Promise<unknown> = Promise.resolve();

  const upload = async (id: string): Promise<void> => {
    const work = works.get(id);
    if (!work?.photo) return;
    const { signal } = work.controller;
    const onProgress = (progress: number) => report(id, { progress });
    try {
      const value = await send(work.photo, { signal, onProgress });
      if (!signal.aborted) report(id, { value, progress: 1 });
    } catch (error) {
      if (!signal.aborted) report(id, { problem: getErrorMessage(error, t('photos.uploadFailed')) });
    }
  };
  // one at a time: the first photos of a slow line are done sooner, and other requests find a free connection
  const queueUpload = (id: string): void => {
    last = last.then(() => upload(id));
  };

  const remove = (id: string): void => {
    const work = works.get(id);
    works.delete(id);
    work?.controller.abort();
    if (work?.preview) URL.revokeObjectURL(work.preview);
  };

  return {
    /**
     * Resolves once the photo is resized and turned by so many quarters to the right, in the place of an earlier one with the
     * id; with the reason if the file is unreadable. @throws if another attempt may succeed
     */
    async add(id: string, file: Blob, turns = 0): Promise<Unreadable | Blob | undefined> {
      const work: Work = { controller: new AbortController() };
      works.get(id)?.controller.abort();
      works.set(id, work);
      const resized = await resizer.resize(id, file, turns);
      if ('reason' in resized) return resized;
      // the photo was removed, or turned again
      if (works.get(id) !== work) return undefined;
      work.photo = resized.photo;
      work.preview = URL.createObjectURL(resized.photo);
      report(id, { preview: work.preview });
      queueUpload(id);
      return resized.photo;
    },
    retry(id: string): void {
      report(id, { problem: undefined, progress: 0 });
      queueUpload(id);
    },
    remove,
    close(): void {
      for (const id of [...works.keys()]) remove(id);
      resizer.close();
    },
  };
};

export type PhotoUploader = ReturnType<typeof createPhotoUploader>;

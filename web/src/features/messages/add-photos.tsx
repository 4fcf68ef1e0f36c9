import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { toUrl } from '../../../../contract/initial-state.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { viewMessagePhoto } from '../../../../contract/message-photos.ts';
import { importWithRetry } from '../../lib/chunks.ts';
import type { Draft } from '../../lib/draft.ts';
import { CREATE_RULES } from '../ads/form/photo-rules.ts';
import { PhotoInput } from '../photos/photo-input.tsx';
import { type PhotoRules, type Photos, usePhotos } from '../photos/use-photos.ts';
import { ToolButton } from './tool-button.tsx';

const RULES: PhotoRules = {
  ...CREATE_RULES,
  tooMany: (max) => ({
    title: t('messages.maxImages'),
    description: t('messages.maxImagesText', { count: max }),
  }),
};

const loadSend = () =>
  importWithRetry(() => import('./send-message-photo.ts')).then((module) => module.sendMessagePhoto);

const toPreview = (id: string): string => toUrl(viewMessagePhoto, { params: { id, size: 'thumb' } });

/** The photos of the message that a person writes, also those of before a reload. Their values are ids. */
export const useMessagePhotos = (draft: Draft<string[]>) =>
  usePhotos({
    saved: draft.read(),
    toPreview,
    max: LIMITS.messagePhotos,
    rules: RULES,
    loadSend,
    onChange: (ids) => draft.write(ids.length > 0 ? ids : undefined),
  });

export const AddPhotos = ({ photos }: { photos: Photos }) => {
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <ToolButton
        variant="outline"
        disabled={photos.list.length >= photos.max}
        onClick={() => inputRef.current?.click()}
        icon={<ImagePlus />}
        label={t('messages.addPhotos')}
      />
      <PhotoInput ref={inputRef} photos={photos} />
    </>
  );
};

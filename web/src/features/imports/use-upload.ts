import { useRef, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import {
  type ImportFormat,
  type ImportMapping,
  type ImportPreview,
  previewImport,
  rememberImportChoices,
} from '../../../../contract/imports.ts';
import { toUrl } from '../../../../contract/initial-state.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { ApiError, apiRequest, getErrorMessage } from '../../api/client.ts';
import { useInvalidateQueries } from '../../api/query.ts';
import { uploadFile } from '../../api/upload.ts';
import { announce } from '../../lib/announcer.tsx';
import { formatMegabytes } from './labels.ts';

export interface ReadingOptions {
  format: ImportFormat | '';
  truncate: boolean;
}

/** What the server says about the file itself, else about the request. */
const toFailure = (error: unknown): string =>
  (error instanceof ApiError && error.reply?.fields?.file) || getErrorMessage(error, t('imports.readFailed'));

const refuseFile = ({ size }: File): string | undefined => {
  if (size === 0) return t('imports.emptyFile');
  if (size > LIMITS.importBytes) return t('imports.tooLarge', { size: formatMegabytes(LIMITS.importBytes) });
  return undefined;
};

const send = (
  file: File,
  { format, truncate }: ReadingOptions,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => {
  const query = {
    fileName: file.name.slice(0, 255),
    ...(format && { format }),
    ...(truncate && { truncate: 'true' as const }),
  };
  // the content says what the file is, not what the system of the person takes it for
  const bytes = file.slice(0, file.size, 'application/octet-stream');
  return uploadFile({ ...previewImport, path: toUrl(previewImport, { query }) }, bytes, { onProgress, signal });
};

/**
 * The file that the person chose, which the browser sends anew whenever they choose something else about it: the server keeps what
 * its rows would do, and not the file.
 */
export const useUpload = () => {
  const invalidate = useInvalidateQueries();
  const [file, setFile] = useState<File>();
  const [options, setOptions] = useState<ReadingOptions>({ format: '', truncate: false });
  const [share, setShare] = useState<number>();
  const [preview, setPreview] = useState<ImportPreview>();
  const [failure, setFailure] = useState<string>();
  const running = useRef<AbortController>(undefined);

  const read = async (chosen: File, how: ReadingOptions): Promise<void> => {
    running.current?.abort();
    const refusal = refuseFile(chosen);
    setFailure(refusal);
    setFile(chosen);
    if (refusal) return;
    const controller = new AbortController();
    running.current = controller;
    setShare(0);
    try {
      const read = await send(chosen, how, setShare, controller.signal);
      setPreview(read);
      await invalidate('imports');
      announce(t('imports.preview', { file: chosen.name }));
    } catch (error) {
      if (controller.signal.aborted) return;
      setPreview(undefined);
      setFailure(toFailure(error));
      await invalidate('imports');
    } finally {
      if (!controller.signal.aborted) setShare(undefined);
    }
  };

  return {
    file,
    options,
    share,
    preview,
    failure,
    choose: (chosen: File) => read(chosen, options),
    change: async (changed: ReadingOptions) => {
      setOptions(changed);
      if (file) await read(file, changed);
    },
    /** Remembers what columns and categories mean, and reads the file by that. */
    apply: async (kind: string, choices: ImportMapping) => {
      await apiRequest(rememberImportChoices, { params: { kind }, body: choices });
      if (file) await read(file, options);
    },
    forget: () => {
      setFile(undefined);
      setPreview(undefined);
    },
  };
};
export type Upload = ReturnType<typeof useUpload>;

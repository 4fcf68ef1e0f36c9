import { FileUp } from 'lucide-react';
import { useId, useRef } from 'react';
import { t } from '../../../../contract/i18n.ts';
import type { ImportFormat } from '../../../../contract/imports.ts';
import { Button } from '../../ui/button.tsx';
import { DropArea } from '../../ui/drop-area.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { CheckField, Field, NativeSelect } from '../../ui/form-controls.tsx';
import { FORMATS } from './labels.ts';
import type { Upload } from './use-upload.ts';

const ACCEPTED = '.csv,.tsv,.txt,.json,.xml,.rss,.html,text/csv,application/json,text/xml';

/** Where a file is chosen or dropped, and how it is read. */
export const FileChoice = ({ upload }: { upload: Upload }) => {
  const { file, options, share, failure } = upload;
  const inputRef = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const take = (files: FileList | null) => {
    const [chosen] = files ?? [];
    if (chosen) void upload.choose(chosen);
  };
  return (
    <div className="grid gap-4">
      <DropArea onDrop={take}>
        <FileUp className="size-8 text-muted-foreground" />
        {/* Touch screens cannot drag files. */}
        <p className="text-sm font-medium pointer-coarse:hidden">{t('imports.dragHere')}</p>
        <Button
          variant="outline"
          busy={share !== undefined}
          aria-describedby={failure ? failureId : undefined}
          onClick={() => inputRef.current?.click()}
        >
          {share === undefined ? null : <Spinner />} {t('imports.browse')}
        </Button>
        {share !== undefined && file ? (
          <p role="status" className="max-w-full text-sm wrap-anywhere text-muted-foreground">
            {t('imports.reading', { file: file.name })}
          </p>
        ) : null}
      </DropArea>
      <input
        ref={inputRef}
        type="file"
        hidden
        accept={ACCEPTED}
        aria-label={t('imports.browse')}
        onChange={({ target }) => {
          take(target.files);
          // the same file, mended, is chosen again
          target.value = '';
        }}
      />
      {failure ? (
        <p id={failureId} role="alert" className="text-sm wrap-anywhere text-destructive">
          {failure}
        </p>
      ) : null}
      <div className="grid items-end gap-x-6 gap-y-2 sm:grid-cols-2">
        <Field label={t('imports.format')}>
          <NativeSelect
            value={options.format}
            options={[['', t('imports.formatAny')], ...Object.entries(FORMATS)]}
            onChange={({ target }) => void upload.change({ ...options, format: target.value as ImportFormat | '' })}
          />
        </Field>
        <CheckField
          checked={options.truncate}
          onChange={({ target }) => void upload.change({ ...options, truncate: target.checked })}
        >
          {t('imports.truncate')}
        </CheckField>
      </div>
    </div>
  );
};

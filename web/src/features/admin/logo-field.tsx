import { useEffect, useState } from 'react';
import { BRAND_LIMITS, removeLogo, setLogo, type VersionedBrand } from '../../../../contract/brand.ts';
import { t } from '../../../../contract/i18n.ts';
import { apiRequest } from '../../api/client.ts';
import { uploadFile } from '../../api/upload.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/form-controls.tsx';

/** A file that becomes the logo when the form is saved; null removes the logo, undefined leaves it. */
export type LogoChoice = File | null | undefined;

const NEVER = new AbortController().signal;

export const sendLogo = async (choice: LogoChoice): Promise<VersionedBrand | undefined> => {
  if (choice === undefined) return undefined;
  return choice ? uploadFile(setLogo, choice, { onProgress: () => {}, signal: NEVER }) : apiRequest(removeLogo);
};

/** What the logo is once the choice is saved. */
export const useChosenLogo = (choice: LogoChoice, saved: string | null): string | null => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!choice) return setUrl(null);
    const made = URL.createObjectURL(choice);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [choice]);
  return choice === undefined ? saved : url;
};

interface LogoFieldProps {
  hasLogo: boolean;
  error: string | undefined;
  onChoose: (choice: LogoChoice) => void;
}

export const LogoField = ({ hasLogo, error, onChoose }: LogoFieldProps) => (
  <div className="grid justify-items-start gap-3">
    <Field label={t('brand.logo')} hint={t('brand.logoHint')} error={error} className="w-full">
      <input
        type="file"
        accept={setLogo.bodyTypes?.join()}
        className="min-h-11 w-full text-sm"
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
    </Field>
    {hasLogo ? (
      <Button variant="outline" size="sm" onClick={() => onChoose(null)}>
        {t('brand.removeLogo')}
      </Button>
    ) : null}
  </div>
);

export const findLogoProblem = (choice: LogoChoice): string | undefined =>
  choice && choice.size > BRAND_LIMITS.logoBytes ? t('brand.logoTooLarge') : undefined;

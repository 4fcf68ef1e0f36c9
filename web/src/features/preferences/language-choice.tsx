import { useId } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { LANGUAGE_COOKIE, LANGUAGE_NAMES, type Language } from '../../../../contract/languages.ts';
import { setLanguage } from '../../../../contract/users.ts';
import { apiRequest, getErrorMessage } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { NativeSelect } from '../../ui/form-controls.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

const YEAR = 365 * 86_400;

/** For this browser, also after signing out. */
const remember = (language: Language): void => {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox lack the Cookie Store API
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
};

/** Chooses the language of the site, in itself and in the account. The page then starts again in it. */
export const LanguageChoice = ({ hideLabel = false }: { hideLabel?: boolean }) => {
  const { language, languages } = useSiteConfig();
  const { user } = useSession();
  const toast = useToast();
  const id = useId();
  const choose = async (chosen: Language) => {
    try {
      if (user) await apiRequest(setLanguage, { body: { language: chosen } });
      remember(chosen);
      location.reload();
    } catch (error) {
      toast.error(getErrorMessage(error, t('session.languageNotSaved')));
    }
  };
  return (
    <div className="grid max-w-xs gap-1.5">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {t('shell.language')}
      </label>
      <NativeSelect
        id={id}
        translate="no"
        value={language}
        options={languages.map((code) => [code, LANGUAGE_NAMES[code]] as const)}
        onChange={(event) => void choose(event.target.value as Language)}
      />
    </div>
  );
};

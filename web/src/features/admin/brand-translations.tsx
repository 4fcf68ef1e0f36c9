import type { UseFormReturn } from 'react-hook-form';
import { BRAND_LIMITS, type Brand, type BrandTranslation } from '../../../../contract/brand.ts';
import { t } from '../../../../contract/i18n.ts';
import { getDirection, LANGUAGE_NAMES, type Language } from '../../../../contract/languages.ts';
import { Field, Input } from '../../ui/form-controls.tsx';

/** What the form of the brand has: a link a line. */
export interface BrandValues extends Omit<Brand, 'links'> {
  links: string;
}

/** The words of each further language of the marketplace, empty where there are none. */
export const toTranslations = (
  languages: readonly Language[],
  stored: readonly BrandTranslation[],
): BrandTranslation[] => {
  const none = { headline: '', tagline: '', footerLine: '' };
  return languages
    .slice(1)
    .map((language) => ({ language, ...none, ...stored.find((one) => one.language === language) }));
};

/** What each language says, for people: "Deutsch: …". */
export const sayTranslations = (translations: readonly BrandTranslation[]): string =>
  translations
    .map(({ language, ...words }) => [LANGUAGE_NAMES[language], Object.values(words).filter(Boolean).join(' · ')])
    .filter(([, words]) => words)
    .map((parts) => parts.join(': '))
    .join('\n');

const WORDS = { headline: BRAND_LIMITS.headline, tagline: BRAND_LIMITS.line, footerLine: BRAND_LIMITS.line };
type Word = keyof typeof WORDS;

interface BrandTranslationsProps {
  form: UseFormReturn<BrandValues>;
  languages: readonly Language[];
}

/** Headline, tagline and footer line in each further language. */
export const BrandTranslations = ({ form, languages }: BrandTranslationsProps) => {
  const errors = form.formState.errors.translations;
  if (languages.length === 0) return null;
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">{t('brand.translations')}</h3>
      <p className="text-xs text-muted-foreground">{t('brand.translationsHint')}</p>
      {languages.map((language, index) => (
        <details key={language} open={errors?.[index] !== undefined || undefined}>
          <summary className="min-h-8 cursor-pointer py-1 text-sm font-medium" translate="no" lang={language}>
            {LANGUAGE_NAMES[language]}
          </summary>
          <div className="grid gap-4 py-2">
            {(Object.keys(WORDS) as Word[]).map((name) => (
              <Field
                key={name}
                label={t('brand.inLanguage', { words: t(`brand.${name}`), language: LANGUAGE_NAMES[language] })}
                error={errors?.[index]?.[name]?.message}
              >
                <Input
                  lang={language}
                  dir={getDirection(language)}
                  maxLength={WORDS[name]}
                  {...form.register(`translations.${index}.${name}`)}
                />
              </Field>
            ))}
          </div>
        </details>
      ))}
    </div>
  );
};

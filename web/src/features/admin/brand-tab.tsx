import { useState } from 'react';
import {
  BRAND_LIMITS,
  type Brand,
  getBrand,
  resetBrand,
  updateBrand,
  type VersionedBrand,
} from '../../../../contract/brand.ts';
import { BUILT_IN_WORDS } from '../../../../contract/built-in-words.ts';
import { DEFAULT_BRAND } from '../../../../contract/default-brand.ts';
import { labels, t } from '../../../../contract/i18n.ts';
import type { Language } from '../../../../contract/languages.ts';
import { apiRequest, getErrorMessage } from '../../api/client.ts';
import { fetchForQuery } from '../../api/query.ts';
import { useFormQuery } from '../../api/uncached-query.ts';
import { useAction } from '../../api/use-action.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { sendVersioned, VersionConflict } from '../../api/versioned.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { CheckField, Field, Input, NativeSelect, Textarea } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { ConflictDialog, hasSameText } from '../../ui/version-conflict.tsx';
import { BrandPreview, Correction } from './brand-preview.tsx';
import { BrandTranslations, type BrandValues, sayTranslations, toTranslations } from './brand-translations.tsx';
import { findLogoProblem, type LogoChoice, LogoField, sendLogo, useChosenLogo } from './logo-field.tsx';

export const BrandTab = () => {
  const query = useFormQuery(getBrand, {});
  return (
    <Query
      of={query}
      failure={t('brand.loadFailed')}
      loading={<SkeletonRegion className="grid gap-4" boxes={['h-64']} />}
    >
      {(brand) => <BrandForm brand={brand} onSaved={(saved) => void query.mutate(saved, { revalidate: false })} />}
    </Query>
  );
};

const toLink = (line: string) => {
  const words = line.split(/\s/);
  const url = words.at(-1)?.includes('://') ? (words.pop() ?? '') : '';
  return { url, label: words.join(' ') };
};

const WORDS = Object.keys(BUILT_IN_WORDS) as (keyof typeof BUILT_IN_WORDS)[];

type Words = Pick<Brand, (typeof WORDS)[number]>;

/** These words, with those of `to` in the place of those of `from`. */
const exchange = (words: Words, from: Words, to: Words) =>
  Object.fromEntries(WORDS.map((name) => [name, words[name] === from[name] ? to[name] : words[name]])) as Words;

const toBrand = (values: BrandValues): Brand => ({
  ...values,
  ...exchange(values, BUILT_IN_WORDS, DEFAULT_BRAND),
  links: values.links
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map(toLink),
});

const toValues = (
  { version: _, logo: _logo, ...brand }: VersionedBrand,
  languages: readonly Language[],
): BrandValues => ({
  ...brand,
  translations: toTranslations(languages, brand.translations),
  ...exchange(brand, DEFAULT_BRAND, BUILT_IN_WORDS),
  links: brand.links.map(({ label, url }) => `${label} ${url}`).join('\n'),
});

const LABELS = labels<keyof BrandValues>({
  name: 'brand.name',
  shortName: 'brand.shortName',
  accent: 'brand.accent',
  headline: 'brand.headline',
  tagline: 'brand.tagline',
  footerLine: 'brand.footerLine',
  translations: 'brand.translations',
  isBeta: 'brand.isBeta',
  homeCountry: 'brand.homeCountry',
  theme: 'brand.theme',
  links: 'brand.links',
});

const THEMES = labels<Brand['theme']>({
  light: 'brand.themeLight',
  dark: 'brand.themeDark',
  system: 'brand.themeSystem',
});

const sayValue = (value: BrandValues[keyof BrandValues]): string => {
  if (typeof value === 'boolean') return value ? t('brand.on') : t('brand.off');
  return typeof value === 'string' ? value : sayTranslations(value);
};

const toRows = (values: BrandValues) =>
  (Object.keys(LABELS) as (keyof BrandValues)[]).map((key) => [LABELS[key], sayValue(values[key])] as const);

const trimUpper = (code: string) => code.trim().toUpperCase();
const toColour = (text: string) => {
  const hex = text.trim().toLowerCase().replace(/^#?/, '#');
  return /^#[0-9a-f]{3}$/.test(hex) ? hex.replace(/[0-9a-f]/g, '$&$&') : hex;
};

interface BrandFormProps {
  brand: VersionedBrand;
  onSaved: (saved: VersionedBrand) => void;
}

const BrandForm = ({ brand, onSaved }: BrandFormProps) => {
  const toast = useToast();
  const { languages } = useSiteConfig();
  const apiForm = useApiForm<BrandValues>({
    endpoint: updateBrand,
    toBody: toBrand,
    saved: toValues(brand, languages),
    version: brand.version,
  });
  const { form, submitRef, isSending } = apiForm;
  const { errors } = form.formState;
  const [conflicting, setConflicting] = useState<VersionedBrand>();
  const [isAsking, setAsking] = useState(false);
  const { run } = useAction();
  const values = form.watch();
  const [choice, setChoice] = useState<LogoChoice>();
  const logo = useChosenLogo(choice, brand.logo);
  const problem = findLogoProblem(choice);

  const restart = (saved: VersionedBrand) => {
    setConflicting(undefined);
    setChoice(undefined);
    onSaved(saved);
    apiForm.restart(toValues(saved, languages), saved.version);
  };

  const handleSubmit = apiForm.createSubmit({
    send: async (sent, { version }) => {
      const saved = await sendVersioned({
        version,
        put: (last) => apiRequest(updateBrand, { body: { ...toBrand(sent), version: last } }),
        reread: () => fetchForQuery(getBrand),
        isHarmless: (stored) => hasSameText(toRows(toValues(stored, languages)), toRows(sent)),
      });
      // after a conflict nothing is changed
      return (await sendLogo(choice)) ?? saved;
    },
    onSent: (saved) => {
      restart(saved);
      toast({ title: t('brand.saved'), description: t('brand.savedText') });
    },
    onRefused: (error) => {
      if (error instanceof VersionConflict) return setConflicting(error.saved as VersionedBrand);
      toast.error(getErrorMessage(error, t('brand.saveFailed')));
    },
  });

  const handleReset = () =>
    void run(async () => {
      restart(await apiRequest(resetBrand));
      toast({ title: t('brand.wasReset'), description: t('brand.resetText') });
    }, t('brand.resetFailed'));

  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <form onSubmit={handleSubmit} className="grid content-start gap-4">
        <Card className="grid gap-4">
          <h2 className="card-heading">{t('brand.nameAndWords')}</h2>
          <Field label={LABELS.name} error={errors.name?.message}>
            <Input maxLength={BRAND_LIMITS.name} autoComplete="off" {...form.register('name')} />
          </Field>
          <Field label={LABELS.shortName} hint={t('brand.shortNameHint')} error={errors.shortName?.message}>
            <Input maxLength={BRAND_LIMITS.shortName} autoComplete="off" {...form.register('shortName')} />
          </Field>
          <Field label={LABELS.headline} hint={t('brand.headlineHint')} error={errors.headline?.message}>
            <Input maxLength={BRAND_LIMITS.headline} {...form.register('headline')} />
          </Field>
          <Field label={LABELS.tagline} hint={t('brand.taglineHint')} error={errors.tagline?.message}>
            <Textarea rows={2} maxLength={BRAND_LIMITS.line} {...form.register('tagline')} />
          </Field>
          <Field label={LABELS.footerLine} error={errors.footerLine?.message}>
            <Textarea rows={2} maxLength={BRAND_LIMITS.line} {...form.register('footerLine')} />
          </Field>
          <BrandTranslations form={form} languages={languages.slice(1)} />
          <Field
            label={LABELS.links}
            hint={t('brand.linksHint', { max: BRAND_LIMITS.links })}
            error={errors.links?.message}
          >
            <Textarea rows={3} {...form.register('links')} />
          </Field>
          <CheckField {...form.register('isBeta')}>{t('brand.showBeta')}</CheckField>
        </Card>
        <Card className="grid gap-4">
          <h2 className="card-heading">{t('brand.lookAndCountry')}</h2>
          <LogoField hasLogo={logo !== null} error={problem} onChoose={setChoice} />
          <div className="flex items-start gap-3">
            <Field
              label={LABELS.accent}
              hint={t('brand.accentHint')}
              error={errors.accent?.message}
              className="min-w-0 grow"
            >
              <Input
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                {...form.register('accent', { setValueAs: toColour })}
              />
            </Field>
            <Field label={t('brand.pick')} className="shrink-0">
              <input
                type="color"
                className="h-11 w-14 md:h-10"
                value={toColour(values.accent)}
                onChange={(event) => form.setValue('accent', event.target.value, { shouldDirty: true })}
              />
            </Field>
          </div>
          <Correction accent={toColour(values.accent)} />
          <Field label={LABELS.theme} hint={t('brand.themeHint')} error={errors.theme?.message}>
            <NativeSelect options={Object.entries(THEMES)} {...form.register('theme')} />
          </Field>
          <Field label={LABELS.homeCountry} hint={t('brand.homeCountryHint')} error={errors.homeCountry?.message}>
            <Input maxLength={2} autoComplete="off" {...form.register('homeCountry', { setValueAs: trimUpper })} />
          </Field>
        </Card>
        <div className="flex flex-wrap gap-3">
          <Button ref={submitRef} type="submit" busy={isSending} disabled={problem !== undefined}>
            {isSending ? t('brand.saving') : t('brand.save')}
          </Button>
          <Button variant="outline" onClick={() => setAsking(true)}>
            {t('brand.reset')}
          </Button>
        </div>
        <AlertDialog
          open={isAsking}
          onOpenChange={setAsking}
          title={t('brand.askReset')}
          text={t('brand.askResetText')}
          confirmLabel={t('brand.confirmReset')}
          onConfirm={handleReset}
        />
        <ConflictDialog
          title={t('brand.conflict')}
          mine={toRows(form.getValues())}
          saved={conflicting && toRows(toValues(conflicting, languages))}
          onKeepMine={() => {
            apiForm.setVersion(conflicting?.version);
            setConflicting(undefined);
            void handleSubmit();
          }}
          onTakeSaved={() => conflicting && restart(conflicting)}
          onClose={() => setConflicting(undefined)}
        />
      </form>
      <BrandPreview brand={{ ...values, accent: toColour(values.accent) }} logo={logo} />
    </div>
  );
};

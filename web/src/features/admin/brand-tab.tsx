import { useState } from 'react';
import {
  BRAND_LIMITS,
  type Brand,
  getBrand,
  resetBrand,
  updateBrand,
  type VersionedBrand,
} from '../../../../contract/brand.ts';
import { apiRequest, getErrorMessage } from '../../api/client.ts';
import { fetchForQuery } from '../../api/query.ts';
import { useFormQuery } from '../../api/uncached-query.ts';
import { useAction } from '../../api/use-action.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { sendVersioned, VersionConflict } from '../../api/versioned.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { CheckField, Field, Input, NativeSelect, Textarea } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { ConflictDialog, hasSameText } from '../../ui/version-conflict.tsx';
import { BrandPreview, Correction } from './brand-preview.tsx';
import { findLogoProblem, type LogoChoice, LogoField, sendLogo, useChosenLogo } from './logo-field.tsx';

export const BrandTab = () => {
  const query = useFormQuery(getBrand, {});
  return (
    <Query
      of={query}
      failure="Failed to load the brand"
      loading={<SkeletonRegion className="grid gap-4" boxes={['h-64']} />}
    >
      {(brand) => <BrandForm brand={brand} onSaved={(saved) => void query.mutate(saved, { revalidate: false })} />}
    </Query>
  );
};

export interface BrandValues extends Omit<Brand, 'links'> {
  links: string;
}

const toLink = (line: string) => {
  const words = line.split(/\s/);
  const url = words.at(-1)?.includes('://') ? (words.pop() ?? '') : '';
  return { url, label: words.join(' ') };
};

const toBrand = (values: BrandValues): Brand => ({
  ...values,
  links: values.links
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map(toLink),
});

const toValues = ({ version: _, logo: _logo, ...brand }: VersionedBrand): BrandValues => ({
  ...brand,
  links: brand.links.map(({ label, url }) => `${label} ${url}`).join('\n'),
});

const LABELS: Record<keyof BrandValues, string> = {
  name: 'Name',
  shortName: 'Short name',
  accent: 'Accent colour',
  headline: 'Headline',
  tagline: 'Tagline',
  footerLine: 'Footer line',
  isBeta: 'BETA',
  homeCountry: 'Home country',
  theme: 'Default theme',
  links: 'Links in the footer',
};

const THEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'As the device'],
] as const;

const toRows = (values: BrandValues) =>
  (Object.keys(LABELS) as (keyof BrandValues)[]).map((key) => {
    const value = values[key];
    return [LABELS[key], typeof value === 'boolean' ? (value ? 'On' : 'Off') : value] as const;
  });

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
  const apiForm = useApiForm<BrandValues>({
    endpoint: updateBrand,
    toBody: toBrand,
    saved: toValues(brand),
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
    apiForm.restart(toValues(saved), saved.version);
  };

  const handleSubmit = apiForm.createSubmit({
    send: async (sent, { version }) => {
      const saved = await sendVersioned({
        version,
        put: (last) => apiRequest(updateBrand, { body: { ...toBrand(sent), version: last } }),
        reread: () => fetchForQuery(getBrand),
        isHarmless: (stored) => hasSameText(toRows(toValues(stored)), toRows(sent)),
      });
      // after a conflict nothing is changed
      return (await sendLogo(choice)) ?? saved;
    },
    onSent: (saved) => {
      restart(saved);
      toast({ title: 'Saved', description: 'New pages and mails show it. Reload to see it here.' });
    },
    onRefused: (error) => {
      if (error instanceof VersionConflict) return setConflicting(error.saved as VersionedBrand);
      toast.error(getErrorMessage(error, 'Failed to save the brand'));
    },
  });

  const handleReset = () =>
    void run(async () => {
      restart(await apiRequest(resetBrand));
      toast({ title: 'Reset', description: 'The brand is the default again. Reload to see it here.' });
    }, 'Failed to reset the brand');

  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <form onSubmit={handleSubmit} className="grid content-start gap-4">
        <Card className="grid gap-4">
          <h2 className="card-heading">Name and words</h2>
          <Field label={LABELS.name} error={errors.name?.message}>
            <Input maxLength={BRAND_LIMITS.name} autoComplete="off" {...form.register('name')} />
          </Field>
          <Field
            label={LABELS.shortName}
            hint="Below the icon on a home screen, where 12 letters fit. Empty: the name."
            error={errors.shortName?.message}
          >
            <Input maxLength={BRAND_LIMITS.shortName} autoComplete="off" {...form.register('shortName')} />
          </Field>
          <Field label={LABELS.headline} hint="On the home page, for visitors." error={errors.headline?.message}>
            <Input maxLength={BRAND_LIMITS.headline} {...form.register('headline')} />
          </Field>
          <Field label={LABELS.tagline} hint="Below the headline." error={errors.tagline?.message}>
            <Textarea rows={2} maxLength={BRAND_LIMITS.line} {...form.register('tagline')} />
          </Field>
          <Field label={LABELS.footerLine} error={errors.footerLine?.message}>
            <Textarea rows={2} maxLength={BRAND_LIMITS.line} {...form.register('footerLine')} />
          </Field>
          <Field
            label={LABELS.links}
            hint={`One a line, the text before its address: Imprint https://example.com. At most ${BRAND_LIMITS.links}.`}
            error={errors.links?.message}
          >
            <Textarea rows={3} {...form.register('links')} />
          </Field>
          <CheckField {...form.register('isBeta')}>Show BETA beside the name</CheckField>
        </Card>
        <Card className="grid gap-4">
          <h2 className="card-heading">Look and country</h2>
          <LogoField hasLogo={logo !== null} error={problem} onChoose={setChoice} />
          <div className="flex items-start gap-3">
            <Field
              label={LABELS.accent}
              hint="Of buttons and links, such as #0265d9."
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
            <Field label="Pick" className="shrink-0">
              <input
                type="color"
                className="h-11 w-14 md:h-10"
                value={toColour(values.accent)}
                onChange={(event) => form.setValue('accent', event.target.value, { shouldDirty: true })}
              />
            </Field>
          </div>
          <Correction accent={toColour(values.accent)} />
          <Field label={LABELS.theme} hint="Of people who have chosen none." error={errors.theme?.message}>
            <NativeSelect options={THEMES} {...form.register('theme')} />
          </Field>
          <Field
            label={LABELS.homeCountry}
            hint="A code such as US. Its places are suggested before others; empty for none."
            error={errors.homeCountry?.message}
          >
            <Input maxLength={2} autoComplete="off" {...form.register('homeCountry', { setValueAs: trimUpper })} />
          </Field>
        </Card>
        <div className="flex flex-wrap gap-3">
          <Button ref={submitRef} type="submit" busy={isSending} disabled={problem !== undefined}>
            {isSending ? 'Saving...' : 'Save Brand'}
          </Button>
          <Button variant="outline" onClick={() => setAsking(true)}>
            Reset to Defaults
          </Button>
        </div>
        <AlertDialog
          open={isAsking}
          onOpenChange={setAsking}
          title="Reset the brand?"
          text="Name, logo, words, colour and links become the defaults again. The home country stays."
          confirmLabel="Reset"
          onConfirm={handleReset}
        />
        <ConflictDialog
          title="The brand was changed elsewhere"
          mine={toRows(form.getValues())}
          saved={conflicting && toRows(toValues(conflicting))}
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

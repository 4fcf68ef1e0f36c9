import type { CSSProperties } from 'react';
import type { Brand } from '../../../../contract/brand.ts';
import { t } from '../../../../contract/i18n.ts';
import { derivePalette, type Tones } from '../../../../contract/palette.ts';
import { Badge, Card } from '../../ui/card.tsx';
import { Logo } from '../../ui/icons.tsx';

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text);

/** Says which colours take the place of the accent, in light and in dark. */
export const Correction = ({ accent }: { accent: string }) => {
  const { light, dark } = isColour(accent) ? derivePalette(accent) : {};
  const isLow = light !== undefined && light.primary !== accent;
  const texts = [
    isLow && t('brand.lowContrast', { colour: light.primary }),
    dark && dark.primary !== accent && t('brand.inDark', { colour: dark.primary }),
  ];
  return (
    <p role="status" className={`text-sm empty:hidden ${isLow ? 'text-warning' : 'text-muted-foreground'}`}>
      {texts.filter(Boolean).join(' ')}
    </p>
  );
};

const toStyle = (tones: Tones): CSSProperties =>
  Object.fromEntries(Object.entries(tones).map(([name, hex]) => [`--${name}`, hex]));

type Previewed = Pick<Brand, 'name' | 'headline' | 'tagline' | 'footerLine' | 'isBeta' | 'accent'>;

/** What the values of the form look like, in light and dark, before they are saved. */
export const BrandPreview = ({ brand, logo }: { brand: Previewed; logo: string | null }) => {
  const palette = derivePalette(isColour(brand.accent) ? brand.accent : '#808080');
  return (
    <Card className="grid gap-4 lg:sticky lg:top-20">
      <h2 className="card-heading">{t('brand.preview')}</h2>
      <Sample label={t('brand.themeLight')} className="light" tones={palette.light} brand={brand} logo={logo} />
      <Sample label={t('brand.themeDark')} className="dark" tones={palette.dark} brand={brand} logo={logo} />
    </Card>
  );
};

interface SampleProps {
  label: string;
  className: 'light' | 'dark';
  tones: Tones;
  brand: Previewed;
  logo: string | null;
}

const Sample = ({ label, className, tones, brand, logo }: SampleProps) => (
  <section aria-label={label} className={className} style={toStyle(tones)}>
    <div className="overflow-hidden rounded-card border border-border bg-background text-foreground wrap-anywhere">
      <p className="flex flex-wrap items-center gap-2 border-b border-border p-3 font-semibold">
        <Logo src={logo} />
        <bdi>{brand.name}</bdi>
        {brand.isBeta ? <Badge variant="accent">{t('shell.beta')}</Badge> : null}
      </p>
      <div className="grid justify-items-start gap-3 p-3">
        <p dir="auto" className="text-lg font-semibold">
          {brand.headline}
        </p>
        <p dir="auto" className="text-sm text-muted-foreground">
          {brand.tagline}
        </p>
        <p className="flex flex-wrap items-center gap-3">
          <span className="button button-primary button-sm">{t('brand.button')}</span>
          <span className="text-sm text-primary underline">{t('brand.link')}</span>
        </p>
      </div>
      <p className="border-t border-border bg-surface p-3 text-sm text-muted-foreground">{brand.footerLine}</p>
    </div>
  </section>
);

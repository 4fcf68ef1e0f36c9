import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import type { ImportDetails, ImportField, ImportMapping, ReadFile } from '../../../../contract/imports.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { Field, NativeSelect } from '../../ui/form-controls.tsx';
import { useCategories } from '../ads/use-categories.ts';
import { FIELDS } from './labels.ts';

type Meanings = Record<string, ImportField | ''>;

interface ColumnsProps {
  file: ReadFile & { columns: NonNullable<ReadFile['columns']> };
  meanings: Meanings;
  onChange: (meanings: Meanings) => void;
}

const explain = ({ isRemembered }: ReadFile, meanings: Meanings): string => {
  if (!Object.values(meanings).includes('title')) return t('imports.columnsMissing');
  return t(isRemembered ? 'imports.columnsRemembered' : 'imports.columnsGuessed');
};

const Columns = ({ file, meanings, onChange }: ColumnsProps) => {
  // only photos have several columns
  const choose = (heading: string, meaning: ImportField | '') => {
    const others = Object.entries(meanings).map(([other, field]) => [
      other,
      field === meaning && meaning !== 'images' ? '' : field,
    ]);
    onChange({ ...Object.fromEntries(others), [heading]: meaning });
  };
  return (
    <Section title={t('imports.columns')} text={explain(file, meanings)}>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {file.columns.map(({ heading, first }) => (
          <li key={heading} className="min-w-0">
            <Field
              label={<bdi className="block truncate">{heading || '–'}</bdi>}
              hint={first ? <bdi className="block truncate">{first}</bdi> : undefined}
            >
              <NativeSelect
                aria-label={t('imports.columnMeans', { heading })}
                value={meanings[heading] ?? ''}
                options={[['', t('imports.fieldNothing')], ...Object.entries(FIELDS)]}
                onChange={({ target }) => choose(heading, target.value as ImportField | '')}
              />
            </Field>
          </li>
        ))}
      </ul>
    </Section>
  );
};

interface SectionProps {
  title: string;
  text: string;
  children: ReactNode;
}

const Section = ({ title, text, children }: SectionProps) => (
  <fieldset className="grid min-w-0 gap-3">
    <legend className="mb-2 font-medium">{title}</legend>
    <p className="text-sm text-muted-foreground">{text}</p>
    {children}
  </fieldset>
);

interface CategoriesProps {
  words: readonly string[];
  slugs: Record<string, string>;
  onChange: (slugs: Record<string, string>) => void;
}

const Categories = ({ words, slugs, onChange }: CategoriesProps) => {
  const categories = useCategories();
  const options = [
    ['', t('imports.chooseCategory')] as const,
    ...categories.map(({ slug, name }) => [slug, name] as const),
  ];
  return (
    <Section title={t('imports.categories')} text={t('imports.categoriesText')}>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {words.map((word) => (
          <li key={word} className="min-w-0">
            <Field label={<bdi className="block truncate">{word || t('imports.withoutCategory')}</bdi>}>
              <NativeSelect
                value={slugs[word] ?? ''}
                options={options}
                onChange={({ target }) => onChange({ ...slugs, [word]: target.value })}
              />
            </Field>
          </li>
        ))}
      </ul>
    </Section>
  );
};

interface ChoicesFormProps {
  file: ReadFile;
  unknown: ImportDetails['unknownCategories'];
  /** Perhaps their prices: then there is a choice. */
  hasMistakes?: boolean;
  onApply: (choices: ImportMapping) => Promise<void>;
}

const listMeanings = ({ columns }: ReadFile): Meanings =>
  Object.fromEntries((columns ?? []).map(({ heading, meaning }) => [heading, meaning]));

/** What the columns and categories of the file mean. Nothing to choose: nothing. */
export const ChoicesForm = ({ file, unknown, hasMistakes = false, onApply }: ChoicesFormProps) => {
  const [meanings, setMeanings] = useState(() => listMeanings(file));
  const [slugs, setSlugs] = useState<Record<string, string>>(file.categories);
  const [decimal, setDecimal] = useState(file.decimal ?? 'point');
  const { isBusy, run } = useAction();
  const words = [...new Set([...unknown.map(({ word }) => word), ...Object.keys(file.categories)])];
  const asksDecimal = file.columns !== null || file.decimal !== null || hasMistakes;
  if (!asksDecimal && words.length === 0) return null;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const categories = Object.fromEntries(Object.entries(slugs).filter(([, slug]) => slug !== ''));
    const choices = { ...(file.columns && { columns: meanings }), categories, ...(asksDecimal && { decimal }) };
    void run(() => onApply(choices), t('imports.saveFailed'));
  };
  return (
    <Card>
      <form className="grid gap-6" onSubmit={handleSubmit}>
        {file.columns === null ? null : (
          <Columns file={{ ...file, columns: file.columns }} meanings={meanings} onChange={setMeanings} />
        )}
        {asksDecimal ? (
          <Field label={t('imports.decimal')} className="sm:max-w-xs">
            <NativeSelect
              value={decimal}
              options={[
                ['point', t('imports.decimalPoint')],
                ['comma', t('imports.decimalComma')],
              ]}
              onChange={({ target }) => setDecimal(target.value as 'point' | 'comma')}
            />
          </Field>
        ) : null}
        {words.length > 0 ? <Categories words={words} slugs={slugs} onChange={setSlugs} /> : null}
        <Button type="submit" variant="outline" className="w-fit" busy={isBusy}>
          {isBusy ? <Spinner /> : null} {t('imports.applyChoices')}
        </Button>
      </form>
    </Card>
  );
};

import type * as z from 'zod/mini';
import { type Catalog, ENGLISH_TEXTS, speaking, type TextKey } from '../../../contract/i18n.ts';
import type { ErrorPhrase, ErrorValue } from '../../error-phrases.ts';

/** A text that says its own key and what is put into it. Checks of the contract say a text at once, and this one is read back. */
const toMark = (key: string, text: string): string => {
  const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([placeholder, name]) => [name, placeholder]);
  return JSON.stringify({ key, values: Object.fromEntries(names) });
};

const markAll = (area: string, catalog: Catalog): Catalog =>
  Object.fromEntries(Object.entries(catalog).map(([name, text]) => [name, toMark(`${area}.${name}`, text)]));

const MARKS = { language: 'en', catalogs: { fields: markAll('fields', ENGLISH_TEXTS.catalogs.fields ?? {}) } } as const;

/** "1,250", "9.50": numbers as English writes them, which the reader's language writes in its own way. */
const readValue = (value: string): ErrorValue =>
  /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d+\.\d+$/.test(value) ? { decimal: value.replaceAll(',', '') } : value;

const readMark = (message: string): ErrorPhrase => {
  if (!message.startsWith('{')) return { key: 'fields.invalid' };
  const { key, values } = JSON.parse(message) as { key: TextKey; values: Record<string, string> };
  const read = Object.entries(values).map(([name, value]) => [name, readValue(value)] as const);
  return { key, ...(read.length > 0 && { values: Object.fromEntries(read) }) };
};

export interface Fault {
  field: string;
  phrase: ErrorPhrase;
}

/** Checks a body by the contract. What is wrong with its fields can be said in any language later. */
export const checkPhrased = <Schema extends z.ZodMiniType>(
  schema: Schema,
  body: unknown,
): { value: z.output<Schema> } | { value: undefined; faults: Fault[] } =>
  speaking(MARKS, () => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return { value: parsed.data };
    // issues speak when they are read
    const faults = parsed.error.issues.map(({ path, message }) => ({
      field: String(path[0]),
      phrase: readMark(message),
    }));
    return { value: undefined, faults };
  });

import { readStored, writeStored } from './storage.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

// The prefix removes it with all drafts when the session ends.
const KEY = 'draft:typed-text';
const UNKEPT = '[type=password], [type=file], [type=hidden], [type=checkbox], [type=radio]';
const FIELDS = `#main :is(input:not(${UNKEPT}), textarea, select)`;
/** Time limit in milliseconds for the fields of a page that first loads data. */
const WAIT_MS = 10_000;

const getFields = (): Field[] => [...document.querySelectorAll<Field>(FIELDS)];

/** Keeps the text in the page's fields for the next load of the same URL in this tab. */
export const keepTypedText = (): void => {
  const values = getFields().map(({ value }) => value);
  writeStored('sessionStorage', KEY, JSON.stringify({ href: location.href, values }));
};

/** React notices a value set by a script only through the prototype's setter and an event. */
const setValue = (field: Field, value = ''): void => {
  if (field.value === value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
};

/** Restores kept text as soon as the page has all the fields. */
export const restoreTypedText = (): void => {
  const kept = readStored('sessionStorage', KEY);
  if (!kept) return;
  writeStored('sessionStorage', KEY, null);
  const { href, values } = JSON.parse(kept) as { href: string; values: string[] };
  if (href !== location.href) return;
  const restore = (): void => {
    const fields = getFields();
    if (fields.length < values.length) return;
    observer.disconnect();
    for (const [index, field] of fields.entries()) setValue(field, values[index]);
  };
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), WAIT_MS);
  restore();
};

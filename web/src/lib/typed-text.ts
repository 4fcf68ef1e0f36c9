import { type Field, getFields, readStored, TYPED_TEXT, writeStored } from './storage.ts';

/** Time limit in milliseconds for the fields of a page that first loads data. */
const WAIT_MS = 10_000;

/** React notices a value set by a script only through the prototype's setter and an event. */
const setValue = (field: Field, value = ''): void => {
  if (field.value === value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
};

/** Restores stored text as soon as the page has all the fields. */
export const restoreTypedText = (): void => {
  const stored = readStored('sessionStorage', TYPED_TEXT);
  if (!stored) return;
  writeStored('sessionStorage', TYPED_TEXT, null);
  const { href, values } = JSON.parse(stored) as { href: string; values: string[] };
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

const save = (name: string, parts: BlobPart[], type: string): void => {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // the browser reads the file after the click
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** Saves a value as a JSON file of the browser's downloads. */
export const saveJson = (name: string, value: unknown): void =>
  save(name, [JSON.stringify(value, null, 2)], 'application/json');

/** Saves a text as a file of the browser's downloads. */
export const saveText = (name: string, text: string): void => save(name, [text], 'text/plain');

/** Saves CSV as a file of the browser's downloads. The byte order mark makes Excel read it as UTF-8. */
export const saveCsv = (name: string, csv: string): void => save(name, ['\uFEFF', csv], 'text/csv');

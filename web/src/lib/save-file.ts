/**
 * Saves a text as a file of the browser's downloads.
 * @param type The media type, such as `text/csv`.
 */
export const saveFile = (name: string, text: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // the browser reads the file after the click
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

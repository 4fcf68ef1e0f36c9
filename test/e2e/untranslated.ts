/**
 * Where people and programs write: names, addresses, code, texts that say which other language they are in, and the panel for
 * development.
 */
export const WRITTEN =
  'bdi, code, kbd, time, [translate=no], [translate=no] option, [dir=auto], body [lang], [data-slot=dev-panel]';

/**
 * Runs in the page, in en-XA: texts, labels and placeholders that are in no catalog. They have neither brackets nor any of the
 * accents of the pseudo-language. What Intl writes (days, times) has none either, and repeats of what people wrote.
 */
export const findUntranslated = (written: string): string[] => {
  const texts: string[] = [];
  const ofPeople = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const parent = node.parentElement;
    if (parent?.closest('script, style, noscript')) continue;
    if (parent?.closest(written)) ofPeople.add(text);
    else texts.push(text);
  }
  for (const name of ['aria-label', 'aria-description', 'placeholder', 'title', 'alt'])
    for (const element of document.body.querySelectorAll(`[${name}]`))
      if (!element.closest(written)) texts.push(element.getAttribute(name)?.trim() ?? '');
  const isOfIntl = (text: string) =>
    /^(\d+ (second|minute|hour|day|week|month|year)s? ago|[A-Z][a-z]{2,8} \d{1,2}, \d{4}(, \d+:\d+ [AP]M)?|[A-Z][a-z]+ \d{4})$/.test(
      text,
    );
  return [...new Set(texts)].filter(
    (text) =>
      /\p{Letter}{2}/u.test(text) &&
      /[aeiou]/i.test(text) &&
      !/[áéíóúýçñšÁÉÍÓÚÝÇÑŠ]/.test(text) &&
      !/^\[.*\]$/s.test(text) &&
      !text.includes('@') &&
      !ofPeople.has(text) &&
      !isOfIntl(text),
  );
};

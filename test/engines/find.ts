/** Which element of a page is meant. */
export interface Target {
  /** CSS selector of the candidates. */
  css: string;
  /** The accessible name or the text: equal to a string, or matching a regular expression. */
  name: string | RegExp;
  /** A string is only part of the name, in any case of letters. */
  isPart?: boolean;
}

/** A target as JSON. */
export interface Finding {
  css: string;
  name: string;
  kind: 'equal' | 'part' | 'pattern';
}

export const button = (name: string | RegExp): Target => ({ css: 'button, [role=button]', name });
export const link = (name: string | RegExp): Target => ({ css: 'a[href]', name });
export const heading = (name: string): Target => ({ css: 'h1, h2, h3', name });
export const field = (name: string): Target => ({ css: 'input, textarea, select', name, isPart: true });

const ANY = 'body *';
/** The innermost element with this text. */
export const text = (name: string | RegExp): Target => ({ css: ANY, name, isPart: true });

export const toFinding = ({ css, name, isPart = false }: Target): Finding => {
  if (name instanceof RegExp) return { css, name: name.source, kind: 'pattern' };
  return { css, name, kind: isPart ? 'part' : 'equal' };
};

/** Runs in the page. Returns the first visible element that is meant: in an open dialog, else anywhere. */
export const findElement = ({ css, name, kind }: Finding): Element | null => {
  const squeeze = (value: string) => value.replace(/\s+/g, ' ').trim();
  const isNamed = (value: string): boolean => {
    if (kind === 'pattern') return new RegExp(name).test(value);
    return kind === 'equal' ? value === name : value.toLowerCase().includes(name.toLowerCase());
  };
  const namesOf = (element: Element): string[] => {
    const { labels, placeholder } = element as HTMLInputElement;
    const names = [element.getAttribute('aria-label'), labels?.[0]?.textContent, placeholder, element.textContent];
    return names.map((value) => squeeze(value ?? '')).filter(Boolean);
  };
  const isMeant = (element: Element) => !/^(SCRIPT|STYLE)$/.test(element.tagName) && namesOf(element).some(isNamed);
  // The field for files is hidden; its button opens it.
  const isReachable = (element: Element) =>
    (element as HTMLInputElement).type === 'file' ||
    (element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0);
  const isInnermost = (element: Element) => css !== 'body *' || ![...element.children].some(isMeant);
  for (const root of [...document.querySelectorAll('[role=dialog], [role=alertdialog]'), document])
    for (const element of root.querySelectorAll(css))
      if (isMeant(element) && isReachable(element) && isInnermost(element)) return element;
  return null;
};

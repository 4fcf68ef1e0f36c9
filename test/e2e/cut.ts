import { expect, type Page } from '@playwright/test';

/** Runs in the page: what of the topmost overlay cannot be seen, not even by scrolling up or down. */
const findCut = (): string[] => {
  const panel = [...document.querySelectorAll<HTMLElement>('[data-escape][data-state=open], [role=menu]')].at(-1);
  if (!panel) return ['nothing is open'];
  const problems: string[] = [];
  const box = panel.getBoundingClientRect();
  if (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1)
    problems.push(`reaches out of the window: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
  const canScroll = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowY);
  if (panel.scrollHeight > panel.clientHeight + 1 && !canScroll(panel)) problems.push('does not scroll');
  if (panel.scrollWidth > panel.clientWidth + 1)
    problems.push(`scrolls sideways by ${panel.scrollWidth - panel.clientWidth}`);

  const texts = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!text.textContent?.trim() || !parent?.checkVisibility() || parent.closest('.sr-only, option, [inert]'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const place = range.getBoundingClientRect();
    const says = `“${text.textContent.trim().slice(0, 40)}”`;
    const isShortened = parent.closest('.truncate, [class*=line-clamp]');
    if (!isShortened && (place.left < box.left - 1 || place.right > box.right + 1)) problems.push(`${says} is cut`);
    const control = parent.closest('button, a, label')?.getBoundingClientRect();
    if (control && !isShortened && (place.right > control.right + 2 || place.bottom > control.bottom + 4))
      problems.push(`${says} reaches out of its control`);
  }
  return problems;
};

/** The whole overlay is in the window, or can be scrolled to, and no text reaches out of it or of its control. */
export const expectNothingCut = (page: Page, where: string): Promise<void> =>
  expect.poll(() => page.evaluate(findCut), where).toEqual([]);

/**
 * Runs in the page: texts that reach out of a box which does not show what is outside of it, out of the button around them, or out
 * of the window. Words of people may end in an ellipsis; those of the site may not.
 */
export const findCutTexts = (written: string): string[] => {
  const problems: string[] = [];
  const isOut = (inner: DOMRect, outer: { left: number; right: number }) =>
    inner.left < outer.left - 2 || inner.right > outer.right + 2;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!text.textContent?.trim() || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      continue;
    if (parent.closest('.sr-only, option, script, style, [inert]')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const place = range.getBoundingClientRect();
    if (place.width === 0) continue;
    const says = `“${text.textContent.trim().slice(0, 60)}”`;
    const isOfPeople = parent.closest(written) !== null;
    let isScrolled = false;
    for (let box: HTMLElement | null = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      const isShortened = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      if (isShortened && isOfPeople) {
        isScrolled = true;
        break;
      }
      if (/auto|scroll/.test(style.overflowX)) {
        isScrolled = true;
        break;
      }
      const frame = box.getBoundingClientRect();
      // a box of a pixel is for screen readers
      if (frame.width <= 1) {
        isScrolled = true;
        break;
      }
      if (/hidden|clip/.test(style.overflowX) && isOut(place, frame)) problems.push(`${says} is cut at a side`);
      if (/hidden|clip/.test(style.overflowY) && (place.top < frame.top - 4 || place.bottom > frame.bottom + 4))
        problems.push(`${says} is cut above or below`);
      if (/^(BUTTON|A|LABEL)$/.test(box.tagName) && style.display !== 'inline' && isOut(place, frame))
        problems.push(`${says} reaches out of its ${box.tagName.toLowerCase()}`);
    }
    if (!isScrolled && isOut(place, { left: 0, right: document.documentElement.clientWidth }))
      problems.push(`${says} reaches out of the window`);
  }
  return [...new Set(problems)];
};

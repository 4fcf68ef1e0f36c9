/** Safari ends a composition before it tells of the key that ended it. Only this code says that the key was its own. */
const OF_INPUT_METHOD = 229;

/**
 * While an input method composes a word, its keys are its own: Escape gives the word up, Enter takes it. No handler hears of
 * them, neither ours nor a library's. On the window, browsers call listeners in the order in which they were added:
 * call this first.
 */
export const leaveKeysToInputMethods = (): void =>
  window.addEventListener(
    'keydown',
    (event) => {
      if (!event.isComposing && event.keyCode !== OF_INPUT_METHOD) return;
      event.stopImmediatePropagation();
      // Chromium would empty a search field. The input method has had the key before the page.
      if (event.key === 'Escape') event.preventDefault();
    },
    true,
  );

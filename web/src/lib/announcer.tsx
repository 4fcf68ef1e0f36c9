const REGION = 'announcer';

/** Says a sentence to screen readers through the one polite live region. */
export const announce = (sentence: string): void => {
  const region = document.getElementById(REGION);
  if (region) region.textContent = sentence;
};

/** The live region that `announce` writes to; rendered once, in the shell. */
export const Announcer = () => <div id={REGION} className="sr-only" aria-live="polite" aria-atomic="true" />;

const REGION = 'announcer';

/** Announces a sentence to screen readers. */
export const announce = (sentence: string): void => {
  const region = document.getElementById(REGION);
  if (region) region.textContent = sentence;
};

/** The live region that `announce` writes to. Rendered once, in the layout. */
export const Announcer = () => <div id={REGION} className="sr-only" aria-live="polite" aria-atomic="true" />;

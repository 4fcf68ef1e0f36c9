const REGION = 'announcer';

export const announce = (sentence: string): void => {
  const region = document.getElementById(REGION);
  if (region) region.textContent = sentence;
};

/** The live region of `announce`. Rendered once, in the layout. */
export const Announcer = () => <div id={REGION} className="sr-only" aria-live="polite" aria-atomic="true" />;

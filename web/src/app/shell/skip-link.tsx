export const SkipLink = () => (
  <a
    href="#main"
    className="not-focus:sr-only fixed top-2 left-2 z-skip-link rounded-control bg-primary px-4 py-3 font-medium text-primary-foreground"
  >
    Skip to content
  </a>
);

export const SkipLink = () => (
  <a
    href="#main"
    className="fixed top-2 left-2 z-skip-link -translate-y-20 rounded-control bg-primary px-4 py-3 font-medium text-primary-foreground focus:translate-y-0"
  >
    Skip to content
  </a>
);

/** The logo of the brand, or the built-in mark without one. */
export const Logo = ({ src }: { src: string | null }) =>
  src ? <img src={src} alt="" className="h-8 max-w-32 object-contain" /> : <Mark />;

const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8">
    <rect width="32" height="32" rx="9" className="fill-primary" />
    <path
      d="M8 10.4A2.4 2.4 0 0 1 10.4 8h5.5c.64 0 1.25.25 1.7.7l6.7 6.7a2.4 2.4 0 0 1 0 3.4l-5.5 5.5a2.4 2.4 0 0 1-3.4 0l-6.7-6.7a2.4 2.4 0 0 1-.7-1.7Z"
      className="fill-primary-foreground"
    />
    <circle cx="12.4" cy="12.4" r="1.9" className="fill-primary" />
    <path
      d="m13.6 17.9 2.3 2.3 4.3-4.7"
      fill="none"
      strokeWidth="2.1"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="stroke-primary"
    />
  </svg>
);

export const XLogo = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" className={className ?? 'size-4'}>
    <path d="M18.24 2.25h3.31l-7.23 8.26 8.5 11.24h-6.66l-5.21-6.82-5.97 6.82H1.67l7.73-8.84L1.25 2.25h6.83l4.71 6.23 5.45-6.23Zm-1.16 17.52h1.83L7.08 4.13H5.12l11.96 15.64Z" />
  </svg>
);

import { XLogo } from '../../ui/x-logo.tsx';

/** A post as it will read on X, character for character. */
export const PostPreview = ({ text, label }: { text: string; label: string }) => (
  <figure className="grid gap-2 rounded-card border border-border bg-surface p-4">
    <figcaption className="flex items-center gap-2 text-xs font-medium text-muted-foreground">
      <XLogo className="size-3.5" /> {label}
    </figcaption>
    <p dir="auto" className="text-sm break-words whitespace-pre-line">
      {text}
    </p>
  </figure>
);

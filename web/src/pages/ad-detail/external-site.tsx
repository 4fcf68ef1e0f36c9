import { ExternalLink } from 'lucide-react';

export const ExternalSite = ({ url }: { url: string }) => (
  <a
    href={url}
    target="_blank"
    rel="nofollow ugc noopener"
    className="flex items-center gap-3 rounded-card border border-border bg-accent p-4 font-medium text-accent-foreground hover:border-primary"
  >
    <ExternalLink aria-hidden="true" className="size-5 shrink-0" />
    <span className="min-w-0">
      View Product on External Site
      <span className="block truncate text-sm font-normal">{new URL(url).hostname} · opens in a new tab</span>
    </span>
  </a>
);

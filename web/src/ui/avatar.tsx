import { Avatar as RadixAvatar } from 'radix-ui';
import { cn } from '../lib/cn.ts';

// By character: half an emoji is none, and the server's HTML and the browser would not agree on it.
const initialOf = (name: string): string => [...name.trim()][0] ?? '?';

/** A round picture of a person, or the first letter of the name while it is missing. */
export const Avatar = ({
  src,
  name,
  className,
}: {
  src?: string | null | undefined;
  name: string;
  className?: string;
}) => (
  <RadixAvatar.Root
    data-slot="avatar"
    className={cn('inline-flex shrink-0 overflow-hidden rounded-full bg-accent', className ?? 'size-10')}
  >
    {src ? (
      <RadixAvatar.Image src={src} alt="" className="size-full object-cover" referrerPolicy="no-referrer" />
    ) : null}
    <RadixAvatar.Fallback
      aria-hidden="true"
      className="flex size-full items-center justify-center font-semibold text-accent-foreground uppercase"
    >
      {initialOf(name)}
    </RadixAvatar.Fallback>
  </RadixAvatar.Root>
);

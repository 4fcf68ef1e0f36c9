import { Avatar as RadixAvatar } from 'radix-ui';
import { cn } from '../lib/cn.ts';

// By code point: half of an emoji would render differently on the server and on the client.
const initialOf = (name: string): string => [...name.trim()][0] ?? '?';

/** A round photo of a person, or the first letter of the name where there is none. */
export const Avatar = ({
  src,
  name,
  className,
}: {
  src?: string | null | undefined;
  name: string;
  className?: string;
}) => (
  <RadixAvatar.Root data-slot="avatar" className={cn('avatar', className)}>
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

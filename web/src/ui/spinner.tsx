import { LoaderCircle } from 'lucide-react';
import { cn } from '../lib/cn.ts';

/** A turning circle; whoever shows it says in words what is being waited for. */
export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle data-slot="spinner" aria-hidden="true" className={cn('animate-spin', className ?? 'size-4')} />
);

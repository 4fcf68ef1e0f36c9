import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';

interface ToolButtonProps extends ComponentProps<typeof Button> {
  icon: ReactNode;
  label: string;
}

/** A button beside the field of a message: with its icon alone where the composer is pinned. */
export const ToolButton = ({ icon, label, ...props }: ToolButtonProps) => (
  <Button aria-label={label} {...props} className="max-lg:in-data-pinned:size-11 max-lg:in-data-pinned:p-0">
    {icon}
    <span className="max-lg:in-data-pinned:hidden">{label}</span>
  </Button>
);

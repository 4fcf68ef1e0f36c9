import type { ComponentType, RefObject } from 'react';

export interface LazyMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchorRef: RefObject<HTMLButtonElement | null>;
  focusFirstItem: boolean;
}

export interface ActionMenuProps {
  title: string;
  actions: {
    icon: ComponentType;
    label: string;
    /** Leads to another site. */
    href?: string;
    /** The action is a switch in this state. */
    isOn?: boolean;
    onSelect?: () => void;
  }[];
}

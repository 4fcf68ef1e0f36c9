import { Tabs as RadixTabs } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';

export const Tabs = RadixTabs.Root;

export const TabList = ({ className, ...props }: ComponentProps<typeof RadixTabs.List>) => (
  <RadixTabs.List
    data-slot="tab-list"
    className={cn('scrollbar-none flex gap-1 overflow-x-auto border-b border-border', className)}
    {...props}
  />
);

export const Tab = ({ className, ...props }: ComponentProps<typeof RadixTabs.Trigger>) => (
  <RadixTabs.Trigger
    data-slot="tab"
    className={cn(
      'min-h-11 shrink-0 border-b-2 border-transparent px-4 text-sm font-medium text-muted-foreground -outline-offset-2 hover:text-foreground data-[state=active]:border-primary data-[state=active]:text-foreground',
      className,
    )}
    {...props}
  />
);

export const TabPanel = ({ className, ...props }: ComponentProps<typeof RadixTabs.Content>) => (
  <RadixTabs.Content data-slot="tab-panel" className={cn('pt-6', className)} {...props} />
);

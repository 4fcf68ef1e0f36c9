import { clsx as cn } from 'clsx';
import { Tabs as RadixTabs } from 'radix-ui';
import type { ComponentProps } from 'react';

export const Tabs = RadixTabs.Root;

export const TabList = ({ className, ...props }: ComponentProps<typeof RadixTabs.List>) => (
  <RadixTabs.List data-slot="tab-list" className={cn('tab-list', className)} {...props} />
);

export const Tab = ({ className, ...props }: ComponentProps<typeof RadixTabs.Trigger>) => (
  <RadixTabs.Trigger data-slot="tab" className={cn('tab', className)} {...props} />
);

export const TabPanel = ({ className, ...props }: ComponentProps<typeof RadixTabs.Content>) => (
  <RadixTabs.Content data-slot="tab-panel" className={cn('pt-6', className)} {...props} />
);

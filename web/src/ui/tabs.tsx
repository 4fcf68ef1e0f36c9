import { clsx as cn } from 'clsx';
import { Tabs as RadixTabs } from 'radix-ui';
import { type ComponentProps, useEffect, useRef } from 'react';

export const Tabs = RadixTabs.Root;

/** The list scrolls where the tabs do not fit, and keeps the selected one in view. */
export const TabList = ({ className, ...props }: ComponentProps<typeof RadixTabs.List>) => {
  const listRef = useRef<HTMLDivElement>(null);
  const shownRef = useRef<Element>(undefined);
  useEffect(() => {
    const list = listRef.current;
    const tab = list?.querySelector<HTMLElement>('[data-state=active]');
    if (!list || !tab || tab === shownRef.current) return;
    shownRef.current = tab;
    const end = tab.offsetLeft + tab.offsetWidth;
    if (tab.offsetLeft < list.scrollLeft) list.scrollLeft = tab.offsetLeft;
    else if (end > list.scrollLeft + list.clientWidth) list.scrollLeft = end - list.clientWidth;
  });
  return (
    <RadixTabs.List ref={listRef} data-slot="tab-list" className={cn('tab-list relative', className)} {...props} />
  );
};

export const Tab = ({ className, ...props }: ComponentProps<typeof RadixTabs.Trigger>) => (
  <RadixTabs.Trigger data-slot="tab" className={cn('tab', className)} {...props} />
);

export const TabPanel = ({ className, ...props }: ComponentProps<typeof RadixTabs.Content>) => (
  <RadixTabs.Content data-slot="tab-panel" className={cn('pt-6', className)} {...props} />
);

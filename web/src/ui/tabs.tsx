import { Tabs as RadixTabs } from 'radix-ui';
import { type ComponentProps, useEffect, useRef } from 'react';
import { getReadingDirection } from '../../../contract/i18n.ts';

export const Tabs = (props: ComponentProps<typeof RadixTabs.Root>) => (
  <RadixTabs.Root dir={getReadingDirection()} {...props} />
);

/** The list scrolls where the tabs do not fit, and keeps the selected one in view. */
export const TabList = (props: ComponentProps<typeof RadixTabs.List>) => {
  const listRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = listRef.current;
    if (!list) return;
    const showSelected = () => {
      const tab = list.querySelector<HTMLElement>('[data-state=active]');
      if (!tab) return;
      const end = tab.offsetLeft + tab.offsetWidth;
      if (tab.offsetLeft < list.scrollLeft) list.scrollLeft = tab.offsetLeft;
      else if (end > list.scrollLeft + list.clientWidth) list.scrollLeft = end - list.clientWidth;
    };
    showSelected();
    // another tab is selected, or a count appears in a tab before it
    const observer = new MutationObserver(showSelected);
    observer.observe(list, { subtree: true, childList: true, attributeFilter: ['data-state'] });
    return () => observer.disconnect();
  }, []);
  return <RadixTabs.List ref={listRef} data-slot="tab-list" className="tab-list relative" {...props} />;
};

export const Tab = (props: ComponentProps<typeof RadixTabs.Trigger>) => (
  <RadixTabs.Trigger data-slot="tab" className="tab" {...props} />
);

export const TabPanel = (props: ComponentProps<typeof RadixTabs.Content>) => (
  <RadixTabs.Content data-slot="tab-panel" className="pt-6" {...props} />
);

import { Ban, EllipsisVertical, Flag } from 'lucide-react';
import { useState } from 'react';
import { loadActionMenu, MenuButton } from '../../ui/lazy-overlays.tsx';
import { ReportDialog } from '../reports/report-button.tsx';
import { BlockDialog } from './block-button.tsx';
import { type BlockablePerson, useBlock } from './use-block.ts';

/** The menu of a conversation's header. Next to the ad's title there is no room for two buttons on a phone. */
export const PersonActions = ({ person, isBlocked }: { person: BlockablePerson; isBlocked: boolean }) => {
  const { setBlocked } = useBlock(person);
  const [open, setOpen] = useState<'report' | 'block'>();
  const toOpenProps = (dialog: typeof open) => ({
    open: open === dialog,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? dialog : undefined),
  });
  return (
    <>
      <MenuButton
        label={`Actions for ${person.displayName}`}
        load={loadActionMenu}
        menu={{
          title: 'Person',
          actions: [
            { icon: Flag, label: 'Report', onSelect: () => setOpen('report') },
            isBlocked
              ? { icon: Ban, label: 'Unblock', onSelect: () => void setBlocked(false) }
              : { icon: Ban, label: 'Block', onSelect: () => setOpen('block') },
          ],
        }}
        className="-mr-2"
      >
        <EllipsisVertical className="size-5" />
      </MenuButton>
      <ReportDialog target={{ type: 'user', id: person.id, name: person.displayName }} {...toOpenProps('report')} />
      <BlockDialog person={person} {...toOpenProps('block')} />
    </>
  );
};

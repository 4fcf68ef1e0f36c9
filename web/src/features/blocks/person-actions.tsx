import { EllipsisVertical } from 'lucide-react';
import { useState } from 'react';
import { MenuButton } from '../../ui/lazy-overlays.tsx';
import { ReportDialog } from '../reports/report-button.tsx';
import { BlockDialog } from './block-button.tsx';
import { type BlockablePerson, useBlock } from './use-block.ts';

const loadMenu = () => import('./person-menu.tsx').then((module) => module.PersonMenu);

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
        load={loadMenu}
        menu={{
          isBlocked,
          onReport: () => setOpen('report'),
          onBlock: () => setOpen('block'),
          onUnblock: () => void setBlocked(false),
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

import { Ban, EllipsisVertical, Flag } from 'lucide-react';
import { useState } from 'react';
import { getBlock } from '../../../../contract/blocks.ts';
import { t } from '../../../../contract/i18n.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { loadActionMenu, MenuButton } from '../../ui/lazy-overlays.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';
import { ReportDialog } from '../reports/report-button.tsx';
import { BlockDialog } from './block-button.tsx';
import { type BlockablePerson, useBlock } from './use-block.ts';

/** The menu of a profile. The caller hides it for oneself. */
export const ProfileActions = ({ person }: { person: BlockablePerson }) => {
  const { user } = useSession();
  const { data } = useApiQuery(getBlock, user ? { params: { userId: person.id } } : null);
  return <PersonActions person={person} isBlocked={data?.isBlocked ?? false} />;
};

/** What one may do against a person, in a menu: it is rarely needed. Visitors sign in first. */
export const PersonActions = ({ person, isBlocked }: { person: BlockablePerson; isBlocked: boolean }) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const { setBlocked } = useBlock(person);
  const [open, setOpen] = useState<'report' | 'block'>();
  const toOpenProps = (dialog: typeof open) => ({
    open: open === dialog,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? dialog : undefined),
  });
  const ask = (dialog: 'report' | 'block') => (user ? setOpen(dialog) : openSignIn());
  return (
    <>
      <MenuButton
        label={t('person.actionsFor', { name: person.displayName })}
        load={loadActionMenu}
        menu={{
          title: t('person.person'),
          actions: [
            { icon: Flag, label: t('person.report'), onSelect: () => ask('report') },
            isBlocked
              ? { icon: Ban, label: t('person.unblock'), onSelect: () => void setBlocked(false) }
              : { icon: Ban, label: t('person.block'), onSelect: () => ask('block') },
          ],
        }}
        className="-me-2"
      >
        <EllipsisVertical className="size-5" />
      </MenuButton>
      <ReportDialog target={{ type: 'user', id: person.id, name: person.displayName }} {...toOpenProps('report')} />
      <BlockDialog person={person} {...toOpenProps('block')} />
    </>
  );
};

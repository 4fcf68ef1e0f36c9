import { Flag } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { useOpenSignIn } from '../auth/sign-in.tsx';
import type { ReportedTarget } from './reported-target.ts';

export const ReportDialog = lazyOverlay(() => import('./report-dialog.tsx').then((module) => module.ReportDialog));

interface ReportButtonProps {
  target: ReportedTarget;
  size?: 'icon' | 'sm' | 'md';
  className?: string;
}

/** Opens the report dialog, or for a visitor the sign-in dialog. The caller hides it for what belongs to the user. */
export const ReportButton = ({ target, size = 'md', className = '' }: ReportButtonProps) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isOpen, setOpen] = useState(false);
  const isIcon = size === 'icon';
  return (
    <>
      <Button
        variant={isIcon ? 'outline' : 'ghost'}
        size={size}
        className={className}
        aria-label={t(target.type === 'rating' ? 'person.reportRating' : 'person.reportName', { name: target.name })}
        onClick={() => (user ? setOpen(true) : openSignIn())}
      >
        <Flag className={isIcon ? 'size-5' : undefined} />
        {isIcon ? null : t('person.report')}
      </Button>
      <ReportDialog target={target} open={isOpen} onOpenChange={setOpen} />
    </>
  );
};

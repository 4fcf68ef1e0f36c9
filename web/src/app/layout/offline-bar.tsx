import { CloudOff } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import { useIsOffline } from '../../lib/online.ts';

/** Stays at the lower edge of every page. In the first load: without a network, nothing can be loaded. */
export const OfflineBar = () =>
  useIsOffline() ? (
    <p
      role="status"
      className="sticky bottom-(--bottom-bar) z-bottom-bar flex items-center justify-center gap-2 bg-foreground px-4 py-2.5 text-center text-sm text-background"
    >
      <CloudOff className="size-4 shrink-0" />
      {t('shell.offlineBar')}
    </p>
  ) : null;

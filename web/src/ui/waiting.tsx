import { useEffect, useEffectEvent, useState } from 'react';
import { t } from '../../../contract/i18n.ts';
import { unlessOffline } from '../lib/online.ts';
import { Button } from './button.tsx';
import { Spinner } from './feedback.tsx';
import { useToast } from './toast/toast.tsx';

const PATIENCE_MS = 1000;
const LIMIT_MS = 10_000;

/**
 * Says that code is still loading. The wait ends after ten seconds, or when the user cancels it or does something else:
 * then `onGiveUp` must prevent that the code opens by itself later.
 */
export const Waiting = ({ onGiveUp }: { onGiveUp: () => void }) => {
  const [isLong, setLong] = useState(false);
  const toast = useToast();
  const giveUp = useEffectEvent(onGiveUp);
  const giveUpAndSay = useEffectEvent(() => {
    onGiveUp();
    toast.error(unlessOffline(t('shell.chunkFailed')));
  });
  useEffect(() => {
    const timers = [setTimeout(() => setLong(true), PATIENCE_MS), setTimeout(() => giveUpAndSay(), LIMIT_MS)];
    return () => timers.forEach(clearTimeout);
  }, []);
  useEffect(() => {
    if (!isLong) return;
    const handleUse = () => giveUp();
    for (const name of ['click', 'input']) document.addEventListener(name, handleUse, true);
    return () => {
      for (const name of ['click', 'input']) document.removeEventListener(name, handleUse, true);
    };
  }, [isLong]);
  if (!isLong) return null;
  return (
    <p
      role="status"
      className="fixed inset-x-3 bottom-[calc(var(--bottom-bar)+0.75rem)] z-toast mx-auto flex w-fit items-center gap-3 rounded-card border border-border bg-card p-4 text-sm shadow-dialog"
    >
      <Spinner />
      {navigator.onLine ? t('shell.stillLoading') : t('shell.offlineWaiting')}
      <Button variant="outline" size="sm">
        {t('shell.cancel')}
      </Button>
    </p>
  );
};

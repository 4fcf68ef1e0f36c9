import { CircleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { ACCOUNT_CHANGED, hasAccountChanged } from '../../api/client.ts';
import { hasUnsavedForm, useSession } from '../../api/session.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { Button } from '../../ui/button.tsx';

// A separate chunk, loaded after hydration.

/** The id of the user who is signed in, as the page that learned it last has stored it; '' for none. */
const ACCOUNT_KEY = 'account';

const TYPED = 'textarea, input:not([type=search], [type=checkbox], [type=radio])';

/** Returns a function that tells whether a field has text that the user typed and did not send. */
const useTypedText = (): (() => boolean) => {
  const typedRef = useRef(new Set<HTMLInputElement>());
  useEffect(() => {
    const handleInput = ({ target }: Event) => {
      if (target instanceof Element && target.matches(TYPED)) typedRef.current.add(target as HTMLInputElement);
    };
    // Before this code had loaded. A field that the page filled in counts as well, which only costs a question.
    for (const field of document.querySelectorAll<HTMLInputElement>(TYPED))
      if (field.value !== field.defaultValue) typedRef.current.add(field);
    document.addEventListener('input', handleInput);
    return () => document.removeEventListener('input', handleInput);
  }, []);
  return () => [...typedRef.current].some((field) => field.isConnected && field.value !== '');
};

/** A page from the browser's history may be older than the session. */
const isFromHistory = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'back_forward');

/**
 * Reloads the page when another tab has signed in, out or in with another account. If that would lose typed text, tells
 * the user instead. Until the reload, the server refuses what the page sends.
 */
export const AccountWatch = () => {
  const { user } = useSession();
  const hasTypedText = useTypedText();
  const [isOutdated, setOutdated] = useState(false);
  const userId = user === undefined ? undefined : (user?.id ?? '');
  const isOldRef = useRef(isFromHistory());

  const handleChange = useEffectEvent(() => {
    if (hasTypedText() || hasUnsavedForm()) setOutdated(true);
    else location.reload();
  });

  useEffect(() => {
    if (userId === undefined) return;
    const compare = () => {
      const stored = readStored('localStorage', ACCOUNT_KEY);
      if (stored !== null && stored !== userId) handleChange();
    };
    if (hasAccountChanged()) return handleChange();
    if (isOldRef.current) compare();
    else writeStored('localStorage', ACCOUNT_KEY, userId);
    isOldRef.current = false;
    const handleResponse = () => handleChange();
    window.addEventListener(ACCOUNT_CHANGED, handleResponse);
    for (const name of ['storage', 'pageshow']) window.addEventListener(name, compare);
    return () => {
      window.removeEventListener(ACCOUNT_CHANGED, handleResponse);
      for (const name of ['storage', 'pageshow']) window.removeEventListener(name, compare);
    };
  }, [userId]);

  if (!isOutdated) return null;
  return (
    <div
      role="alert"
      className="sticky bottom-(--bottom-bar) z-toast flex flex-wrap items-center justify-center gap-x-4 gap-y-2 bg-warning-soft px-4 py-3 text-sm text-warning"
    >
      <CircleAlert className="size-4 shrink-0 max-sm:hidden" />
      {t('session.anotherTab')}
      <Button variant="outline" size="sm" onClick={() => location.reload()}>
        {t('shell.reload')}
      </Button>
    </div>
  );
};

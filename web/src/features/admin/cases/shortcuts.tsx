import { useEffect, useEffectEvent } from 'react';
import { getReadingDirection, type TextKey, t } from '../../../../../contract/i18n.ts';
import { readStored, useStored, writeStored } from '../../../lib/storage.ts';

const STORED = 'moderationKeys';
const TEXT_FIELDS = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])';
/** Elements that use the arrow keys themselves. */
const ARROW_WIDGETS = 'input, [role=tab], [role^=menuitem]';
const OVERLAYS = '[data-escape][data-state=open]';

/** Whether single keys act on cases. The moderator can switch them off, because speech input types letters. */
export const useShortcutSwitch = (): [isOn: boolean, setOn: (isOn: boolean) => void] => {
  const value = useStored('localStorage', STORED);
  return [value !== 'off', (isOn) => writeStored('localStorage', STORED, isOn ? null : 'off')];
};

/** Calls the handler of a pressed key, unless the user types, uses a widget with arrow keys, or has an overlay open. */
export const useShortcuts = (handlers: Record<string, () => void>): void => {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const handle = handlers[event.key];
    if (!handle || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as Element;
    if (target.matches(TEXT_FIELDS) || (event.key.startsWith('Arrow') && target.matches(ARROW_WIDGETS))) return;
    if (document.querySelector(OVERLAYS) || readStored('localStorage', STORED) === 'off') return;
    event.preventDefault();
    handle();
  });
  useEffect(() => {
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
};

/** The arrow keys that go on and back, which from right to left point the other way. */
export const getArrows = () =>
  getReadingDirection() === 'rtl'
    ? ({ next: ['ArrowLeft', '←'], previous: ['ArrowRight', '→'] } as const)
    : ({ next: ['ArrowRight', '→'], previous: ['ArrowLeft', '←'] } as const);

const listKeys = (): [keys: string[], text: TextKey][] => [
  [['j', getArrows().next[1]], 'moderation.keyNext'],
  [['k', getArrows().previous[1]], 'moderation.keyPrevious'],
  [['d', 'r', 'w', '…'], 'moderation.keyChoose'],
  [['Enter'], 'moderation.keyDecide'],
];

/** The keys of the tab, for devices with a keyboard. */
export const ShortcutLegend = () => {
  const [isOn, setOn] = useShortcutSwitch();
  return (
    <section aria-label={t('moderation.keyboard')} className="mt-4 text-xs text-muted-foreground pointer-coarse:hidden">
      {isOn ? (
        <ul className="flex flex-wrap gap-x-4 gap-y-1.5">
          {listKeys().map(([keys, text]) => (
            <li key={text}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}{' '}
              {t(text)}
            </li>
          ))}
        </ul>
      ) : null}
      <label className="mt-1 flex min-h-8 w-fit cursor-pointer items-center gap-2">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => setOn(event.target.checked)}
          className="size-4 accent-primary"
        />
        {t('moderation.shortcuts')}
      </label>
    </section>
  );
};

export const Kbd = ({ children }: { children: string }) => (
  <kbd className="me-1 rounded border border-input bg-muted px-1.5 py-0.5 font-mono text-[0.6875rem] text-foreground">
    {children}
  </kbd>
);

import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './storage.ts';

export type Theme = 'light' | 'dark' | 'system';

const KEY = 'theme';
const CHANGED = 'theme-changed';
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)');

const readTheme = (): Theme => {
  const stored = readStored('localStorage', KEY);
  return stored === 'dark' || stored === 'system' ? stored : 'light';
};

/** Shows the stored theme; the script in index.html does the same before the first paint. */
export const applyTheme = (): void => {
  const theme = readTheme();
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark().matches);
  document.documentElement.classList.toggle('dark', dark);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#0c0e13' : '#ffffff');
};

const setTheme = (theme: Theme): void => {
  writeStored('localStorage', KEY, theme);
  applyTheme();
  window.dispatchEvent(new Event(CHANGED));
};

const subscribe = (onChange: () => void): (() => void) => {
  const changed = () => {
    applyTheme();
    onChange();
  };
  window.addEventListener(CHANGED, onChange);
  window.addEventListener('storage', changed);
  systemIsDark().addEventListener('change', changed);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener('storage', changed);
    systemIsDark().removeEventListener('change', changed);
  };
};

/** The chosen theme, kept in step with other tabs and with the system's own setting. */
export const useTheme = (): [Theme, (theme: Theme) => void] => [
  useSyncExternalStore(subscribe, readTheme, () => 'light' as const),
  setTheme,
];

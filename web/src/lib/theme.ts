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

/** Applies the stored theme. The script in index.html does the same before the first paint. */
export const applyTheme = (): void => {
  const theme = readTheme();
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark().matches);
  document.documentElement.classList.toggle('dark', dark);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#0c0e13' : '#ffffff');
};

const showChange = (): void => {
  applyTheme();
  window.dispatchEvent(new Event(CHANGED));
};

const setTheme = (theme: Theme): void => {
  writeStored('localStorage', KEY, theme);
  showChange();
};

export const followTheme = (): void => {
  window.addEventListener('storage', showChange);
  systemIsDark().addEventListener('change', showChange);
};

const subscribe = (onChange: () => void): (() => void) => {
  window.addEventListener(CHANGED, onChange);
  return () => window.removeEventListener(CHANGED, onChange);
};

export const useTheme = (): [Theme, (theme: Theme) => void] => [
  useSyncExternalStore(subscribe, readTheme, () => 'light' as const),
  setTheme,
];

import { readStored, useStored, watchStored, writeStored } from './storage.ts';

export type Theme = 'light' | 'dark' | 'system';

const KEY = 'theme';
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)');

const isTheme = (text: string | null | undefined): text is Theme =>
  text === 'light' || text === 'dark' || text === 'system';

/** Of a person who has chosen none: what the brand says. */
const getDefault = (): Theme => {
  const theme = globalThis.document?.documentElement.dataset.theme;
  return isTheme(theme) ? theme : 'light';
};

const toTheme = (stored: string | null): Theme => (isTheme(stored) ? stored : getDefault());

/** Applies the stored theme. The script in index.html does the same before the first paint. */
const applyTheme = (): void => {
  const theme = toTheme(readStored('localStorage', KEY));
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark().matches);
  document.documentElement.classList.toggle('dark', dark);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#0c0e13' : '#ffffff');
};

const setTheme = (theme: Theme): void => writeStored('localStorage', KEY, theme);

export const followTheme = (): void => {
  watchStored(KEY, ({ isTrusted }) => {
    // The browser tells of another tab. Here, the frame that shows the choice comes first: all colors take a slow phone a while.
    if (isTrusted) applyTheme();
    else requestAnimationFrame(() => setTimeout(applyTheme));
  });
  systemIsDark().addEventListener('change', applyTheme);
};

export const useTheme = (): [Theme, (theme: Theme) => void] => [toTheme(useStored('localStorage', KEY)), setTheme];

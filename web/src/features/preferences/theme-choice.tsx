import { type Theme, useTheme } from '../../lib/theme.ts';
import { SegmentedChoice } from '../../ui/segmented-choice.tsx';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System'],
];

export const ThemeChoice = () => {
  const [theme, setTheme] = useTheme();
  return <SegmentedChoice legend="Theme" choices={THEMES} value={theme} onChange={setTheme} />;
};

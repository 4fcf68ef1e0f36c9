import { t } from '../../../../contract/i18n.ts';
import { type Theme, useTheme } from '../../lib/theme.ts';
import { SegmentedChoice } from '../../ui/segmented-choice.tsx';

const listThemes = (): readonly (readonly [Theme, string])[] => [
  ['light', t('shell.themeLight')],
  ['dark', t('shell.themeDark')],
  ['system', t('shell.themeSystem')],
];

export const ThemeChoice = () => {
  const [theme, setTheme] = useTheme();
  return <SegmentedChoice legend={t('shell.theme')} choices={listThemes()} value={theme} onChange={setTheme} />;
};

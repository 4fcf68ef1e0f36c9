import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type Theme, useTheme } from '../../lib/theme.ts';
import { Menu, MenuRadioGroup, MenuRadioItem } from '../../ui/menu.tsx';
import type { LazyMenuProps } from '../../ui/menu-button.tsx';

const THEMES = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const;

export const ThemeMenu = (props: LazyMenuProps) => {
  const [theme, setTheme] = useTheme();
  return (
    <Menu {...props} label="Theme">
      <MenuRadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
        {THEMES.map(({ value, label, icon: Icon }) => (
          <MenuRadioItem key={value} value={value}>
            <Icon aria-hidden="true" />
            {label}
            <DropdownMenu.ItemIndicator className="ml-auto">
              <Check aria-hidden="true" />
            </DropdownMenu.ItemIndicator>
          </MenuRadioItem>
        ))}
      </MenuRadioGroup>
    </Menu>
  );
};

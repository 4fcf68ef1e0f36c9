import { expect, test } from 'vitest';
import { CHANNELS, DEFAULT_CHANNELS } from '../../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS } from '../../../../contract/notifications.ts';
import { applyChange, PRESETS, toChange, toPreset, toUndo } from './presets.ts';

const [BOTH, PUSH] = [CHANNELS, ['push'] as const];

test.each(PRESETS)('"%s" is recognized once it is chosen, and taken back whole', (preset) => {
  for (const channels of [BOTH, PUSH]) {
    const change = toChange(preset, channels);
    const chosen = applyChange(DEFAULT_CHANNELS, change);
    expect(toPreset(chosen, channels)).toBe(preset);
    expect(applyChange(chosen, toUndo(DEFAULT_CHANNELS, change))).toEqual(DEFAULT_CHANNELS);
  }
});

test('a preset changes the offered channels alone', () => {
  const chosen = applyChange(DEFAULT_CHANNELS, toChange('none', PUSH));
  for (const kind of NOTIFICATION_KINDS) expect(chosen[kind]).toEqual({ ...DEFAULT_CHANNELS[kind], push: false });
});

test('"Important" has what somebody waits for, and not what is news', () => {
  const chosen = applyChange(DEFAULT_CHANNELS, toChange('important', BOTH));
  expect(chosen.message).toEqual({ email: true, push: true });
  expect(chosen.decision).toEqual({ email: true, push: true });
  expect(chosen.price_drop).toEqual({ email: false, push: false });
});

test('one choice apart from a preset is none', () => {
  const all = applyChange(DEFAULT_CHANNELS, toChange('all', BOTH));
  expect(toPreset(applyChange(all, { message: { push: false } }), BOTH)).toBeUndefined();
});

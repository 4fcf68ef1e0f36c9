import { once } from './once.ts';

const whole = once(() => new Intl.NumberFormat('en-US'));

/** 1234 → "1,234". */
export const formatCount = (count: number): string => whole().format(count);

/** "1 message", "1,234 messages". */
export const pluralize = (count: number, noun: string): string =>
  `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;

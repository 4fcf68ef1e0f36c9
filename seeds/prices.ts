import { padAmount } from '../contract/amount-rules.ts';
import { getMoney } from '../contract/money.ts';

/** Roughly what a dollar is, where that is much more or less than one. */
const PER_DOLLAR: Partial<Record<string, number>> = {
  ARS: 1000,
  BRL: 5,
  CLP: 900,
  CNY: 7,
  COP: 4000,
  CZK: 22,
  DKK: 7,
  EGP: 50,
  HKD: 8,
  HUF: 350,
  IDR: 16_000,
  INR: 85,
  ISK: 135,
  JPY: 150,
  KRW: 1400,
  KWD: 0.3,
  BHD: 0.4,
  OMR: 0.4,
  JOD: 0.7,
  MXN: 18,
  NOK: 10,
  PHP: 57,
  PLN: 4,
  PYG: 7500,
  RUB: 90,
  SEK: 10,
  THB: 35,
  TRY: 40,
  TWD: 32,
  UAH: 41,
  UGX: 3700,
  VND: 25_000,
  XAF: 600,
  XOF: 600,
  ZAR: 18,
};

/** A price in dollars as a plausible one in the currency of the marketplace: whole yen, tens of rupees. */
export const toLocalPrice = (dollars: string): string => {
  const { currency } = getMoney();
  const rate = PER_DOLLAR[currency.code];
  const amount = rate === undefined ? Number(dollars) : Number((Number(dollars) * rate).toPrecision(2));
  return padAmount(amount.toFixed(currency.decimals), currency);
};

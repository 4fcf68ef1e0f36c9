import type { Currency } from '../../contract/money.ts';

const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const WITH_THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
/** A house may cost more than 99,999,999.99 of these. */
const OF_SMALL_UNITS =
  'AMD AOA ARS CDF COP CRC DZD HUF IDR INR IQD IRR JMD KES KHR KZT LAK LBP LKR MGA MMK MNT MWK NGN NPR PKR RSD RUB SDG SLE SOS SSP SYP TZS UZS YER ZMW'.split(
    ' ',
  );
const OTHERS =
  'AED AFN ALL AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CHF CNY CUP CVE CZK DKK DOP EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG ILS KGS KPW KYD LRD LSL MAD MDL MKD MOP MRU MUR MVR MXN MYR MZN NAD NIO NOK NZD PAB PEN PGK PHP PLN QAR RON SAR SBD SCR SEK SGD SHP SRD STN SVC SZL THB TJS TMT TOP TRY TTD TWD UAH USD UYU VES WST XCD ZAR ZWG'.split(
    ' ',
  );

/** The currencies in circulation, by ISO 4217. */
export const CURRENCY_CODES: readonly string[] = [
  ...new Set([...WITHOUT_DECIMALS, ...WITH_THREE, ...OF_SMALL_UNITS, ...OTHERS]),
].sort();

export const toCurrency = (code: string): Currency => {
  const decimals = WITHOUT_DECIMALS.includes(code) ? 0 : WITH_THREE.includes(code) ? 3 : 2;
  return { code, decimals, digits: decimals === 0 || OF_SMALL_UNITS.includes(code) ? 10 : 8 };
};

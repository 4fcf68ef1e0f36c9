import { AR } from './ar.ts';
import { DE } from './de.ts';
import { EL } from './el.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { HE } from './he.ts';
import { HI } from './hi.ts';
import { IT } from './it.ts';
import { JA } from './ja.ts';
import { KO } from './ko.ts';
import type { Language } from './language.ts';
import { NL } from './nl.ts';
import { PL } from './pl.ts';
import { PT } from './pt.ts';
import { RU } from './ru.ts';
import { TH } from './th.ts';
import { TR } from './tr.ts';
import { VI } from './vi.ts';
import { ZH } from './zh.ts';

// By ISO code.
export const LANGUAGES: Readonly<Record<string, Language>> = {
  ar: AR,
  de: DE,
  el: EL,
  en: EN,
  es: ES,
  fr: FR,
  he: HE,
  hi: HI,
  it: IT,
  ja: JA,
  ko: KO,
  nl: NL,
  pl: PL,
  pt: PT,
  ru: RU,
  th: TH,
  tr: TR,
  vi: VI,
  zh: ZH,
};

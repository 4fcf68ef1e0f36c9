import type { TextPage } from '../../../../contract/page-texts.ts';
import { CONTACT } from './en/contact.ts';
import { HOW_IT_WORKS } from './en/how-it-works.ts';
import { PRIVACY } from './en/privacy.ts';
import { SAFETY_TIPS } from './en/safety-tips.ts';
import { TERMS_OF_SERVICE } from './en/terms-of-service.ts';

interface BuiltIn {
  text: string;
  /** The month of its last change of meaning, where the page names one. */
  updated: string | null;
}

/** The texts of pages that an operator wrote none for. There is no imprint that fits everybody. */
const BUILT_IN: Record<TextPage, BuiltIn | null> = {
  'terms-of-service': { text: TERMS_OF_SERVICE, updated: '2025-01' },
  privacy: { text: PRIVACY, updated: null },
  'safety-tips': { text: SAFETY_TIPS, updated: null },
  'how-it-works': { text: HOW_IT_WORKS, updated: null },
  contact: { text: CONTACT, updated: null },
  imprint: null,
};

export const getBuiltIn = (page: TextPage): BuiltIn | null => {
  const found = BUILT_IN[page];
  return found && { ...found, text: found.text.trim() };
};

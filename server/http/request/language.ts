import type { IncomingMessage } from 'node:http';
import { speaking } from '../../../contract/i18n.ts';
import { LANGUAGE_COOKIE, type Language } from '../../../contract/languages.ts';
import type { Config } from '../../config/load.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { type Actor, ANONYMOUS } from '../../policy.ts';
import { readCookie } from './request-info.ts';

/** Browsers send fewer. What comes after them is not read. */
const MAX_PREFERENCES = 10;
const MAX_LENGTH = 500;

type Languages = Pick<Config, 'locales'>;
type Places = Pick<Config, 'locales' | 'timeZone'>;
type Headers = Pick<IncomingMessage, 'headers'>;

const toBase = (tag: string): string => tag.split('-', 1)[0] ?? '';

/** "pt-PT" gets pt-BR, if no language is nearer. */
const match = (tag: string, { locales }: Languages): Language | undefined => {
  const exact = locales.find((language) => language.toLowerCase() === tag);
  return exact ?? locales.find((language) => toBase(language.toLowerCase()) === toBase(tag));
};

/** "pt" is also a range: of "pt-br", not of "pto". */
const isWithin = (language: string, range: string): boolean => `${language.toLowerCase()}-`.startsWith(`${range}-`);

/** The first language of the header by its weights. One with the weight 0 is refused, by "*" too. */
function readAcceptLanguage(header: string | undefined, languages: Languages): Language | undefined {
  const preferences = (header ?? '')
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .split(',', MAX_PREFERENCES)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, weight: weight ? Number(weight.slice(2)) : 1 };
    })
    .filter(({ tag }) => tag !== '');
  const refused = preferences.filter(({ weight }) => weight === 0);
  const locales = languages.locales.filter((language) => !refused.some(({ tag }) => isWithin(language, tag)));
  const wanted = preferences.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    const found = tag === '*' ? locales[0] : match(tag, { locales });
    if (found) return found;
  }
  return undefined;
}

/** The language that a person has chosen in this browser. */
function readChosen({ headers }: Headers, { locales }: Languages): Language | undefined {
  const chosen = readCookie(headers.cookie, LANGUAGE_COOKIE);
  return locales.find((language) => language === chosen);
}

/** The language that the request asks for: by its cookie, else as the browser is set. */
export const findLanguage = (req: Headers, languages: Languages): Language | undefined =>
  readChosen(req, languages) ?? readAcceptLanguage(req.headers['accept-language'], languages);

/** The language of the page that answers a request. */
export function readLanguage(req: Headers, languages: Languages): Language {
  const [own = 'en'] = languages.locales;
  return languages.locales.length > 1 ? (findLanguage(req, languages) ?? own) : own;
}

/** The language of an actor: that of the account, then that of the request. */
export function readLanguageOf(req: Headers, actor: Actor, languages: Languages): Language {
  const chosen = actor.kind === 'user' ? actor.language : null;
  return languages.locales.find((language) => language === chosen) ?? readLanguage(req, languages);
}

/**
 * The language of what the API says to people, English by default. Pages name theirs in Accept-Language, which may be that of an
 * account: so the header comes first. "*", as Node's fetch sends it, asks for none.
 */
function readSpoken(req: Headers, languages: Languages): Language {
  const accepted = req.headers['accept-language'];
  const asked = accepted === '*' ? undefined : readAcceptLanguage(accepted, languages);
  return asked ?? readChosen(req, languages) ?? 'en';
}

/** Makes what a response of the API says to people, in the language of the request and the time zone of the actor. */
export const speakingTo = <T>(
  req: Headers,
  places: Places,
  make: () => T extends PromiseLike<unknown> ? never : T,
  actor: Actor = ANONYMOUS,
): T => {
  const timeZone = (actor.kind === 'user' && actor.timeZone) || places.timeZone;
  return speaking({ ...readTexts(readSpoken(req, places)), timeZone }, make);
};

/** What the cache of responses calls a page: with one language, its address. */
export const toPageKey = (language: Language, url: string, { locales }: Languages): string =>
  locales.length > 1 ? `${language} ${url}` : url;

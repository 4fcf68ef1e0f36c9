import type { IncomingMessage } from 'node:http';
import { LANGUAGE_COOKIE, type Language } from '../../../contract/languages.ts';
import type { Config } from '../../config/load.ts';
import type { Actor } from '../../policy.ts';
import { readCookie } from './request-info.ts';

/** Browsers send fewer. What comes after them is not read. */
const MAX_PREFERENCES = 10;
const MAX_LENGTH = 500;

type Languages = Pick<Config, 'locales'>;
type Headers = Pick<IncomingMessage, 'headers'>;

const toBase = (tag: string): string => tag.split('-', 1)[0] ?? '';

/** "pt-PT" gets pt-BR, if no language is nearer. */
const match = (tag: string, { locales }: Languages): Language | undefined => {
  const exact = locales.find((language) => language.toLowerCase() === tag);
  return exact ?? locales.find((language) => toBase(language.toLowerCase()) === toBase(tag));
};

/** The first language of the header by its weights. Pseudo-languages are chosen by name only. */
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
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { tag } of preferences) {
    const found = tag === '*' ? languages.locales[0] : match(tag, languages);
    if (found) return found;
  }
  return undefined;
}

/** The language that the request asks for: by its cookie, which a person has chosen, else as the browser is set. */
export function findLanguage({ headers }: Headers, languages: Languages): Language | undefined {
  const chosen = readCookie(headers.cookie, LANGUAGE_COOKIE);
  const known = languages.locales.find((language) => language === chosen);
  return known ?? readAcceptLanguage(headers['accept-language'], languages);
}

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

/** What the cache of responses calls a page: with one language, its address. */
export const toPageKey = (language: Language, url: string, { locales }: Languages): string =>
  locales.length > 1 ? `${language} ${url}` : url;

import { cleanText, shorten } from '../../contract/text.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** What XML 1.0 allows nowhere, not even escaped; HTML shows nothing for it. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A text for HTML and XML. Drops characters that no XML document may contain, so that a feed is always well-formed. */
export const escapeHtml = (text: string): string =>
  text.replace(NOT_XML, '').replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

export const embedJson = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

/** A line of at most `max` code points, cut between words where that loses little. */
export function shortenLine(text: string, max: number): string {
  const line = cleanText(text.slice(0, 20 * max));
  const cut = shorten(line, max);
  if (cut === line) return line;
  const blank = cut.lastIndexOf(' ');
  return blank > cut.length * 0.6 ? `${cut.slice(0, blank).trimEnd()}…` : cut;
}

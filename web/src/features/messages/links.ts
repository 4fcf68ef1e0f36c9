import { matchPath } from 'react-router-dom';
import { PAGES } from '../../../../contract/pages.ts';

/** A longer address stays text. */
const MAX_LENGTH = 1000;

const CANDIDATE = /(?<![\p{L}\p{N}@._-])(?:https?:\/\/|www\.)[^\s<>"“”«»]+/giu;

// Among them are those that reverse the direction of text, so that an address reads as another one.
const INVISIBLE = /[\p{Cc}\p{Cf}]/u;

const PUNCTUATION = ".,;:!?'’…*_~|]}";

/** The length of an address without the punctuation of the sentence around it. */
const measureAddress = (candidate: string): number => {
  let unopened = candidate.split(')').length - candidate.split('(').length;
  let end = candidate.length;
  for (; end > 0; end--) {
    const last = candidate.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened--;
    else if (!PUNCTUATION.includes(last)) break;
  }
  return end;
};

const toUrl = (address: string): URL | null => {
  if (address.length > MAX_LENGTH || INVISIBLE.test(address)) return null;
  const full = /^www\./iu.test(address) ? `https://${address}` : address;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  return url.hostname.includes('.') || url.host === location.host ? url : null;
};

export interface MessageLink {
  /** As in the message. */
  text: string;
  url: URL;
}

/** Splits a message into text and links. Only http and https addresses and those that begin with "www." are links. */
export const splitLinks = (content: string): (string | MessageLink)[] => {
  const parts: (string | MessageLink)[] = [];
  let end = 0;
  for (const { 0: candidate, index } of content.matchAll(CANDIDATE)) {
    const text = candidate.slice(0, measureAddress(candidate));
    const url = toUrl(text);
    if (!url) continue;
    if (index > end) parts.push(content.slice(end, index));
    parts.push({ text, url });
    end = index + text.length;
  }
  if (end < content.length) parts.push(content.slice(end));
  return parts;
};

const OWN_PATHS = Object.values(PAGES).flatMap(({ path }) => (path === '*' ? [] : [path]));

/**
 * The path of an address of this marketplace's own pages, else null. A path that begins with two slashes would lead to
 * another host.
 */
export const toOwnPath = ({ host, username, password, pathname, search, hash }: URL): string | null =>
  host === location.host &&
  username + password === '' &&
  !pathname.startsWith('//') &&
  OWN_PATHS.some((path) => matchPath(path, pathname))
    ? pathname + search + hash
    : null;

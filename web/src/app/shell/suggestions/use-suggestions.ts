import { useEffect, useState } from 'react';
import { urlOf } from '../../../../../contract/boot.ts';
import { type Suggestions, suggestSearches } from '../../../../../contract/search.ts';
import { fetchJson } from '../../../api/client.ts';

const PAUSE_MS = 120;
const NONE: Suggestions = { searches: [], categories: [] };

/** What the server suggests for this text, once typing pauses; an answer that is overtaken is given up. */
export const useSuggestions = (text: string): Suggestions => {
  const [suggestions, setSuggestions] = useState(NONE);
  const search = text.trim();
  useEffect(() => {
    if (search === '') {
      setSuggestions(NONE);
      return;
    }
    const overtaken = new AbortController();
    const ask = async () => {
      const asked = fetchJson<Suggestions>(urlOf(suggestSearches, { query: { search } }), overtaken.signal);
      // searching works without
      const answer = await asked.catch(() => NONE);
      if (!overtaken.signal.aborted) setSuggestions(answer);
    };
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      overtaken.abort();
    };
  }, [search]);
  return suggestions;
};

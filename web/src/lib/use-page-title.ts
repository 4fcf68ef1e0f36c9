import { useEffect } from 'react';

/** Titles the document "{title} | {site}"; the server sends the same title in the first HTML. */
export const usePageTitle = (title: string | undefined, siteName: string): void => {
  useEffect(() => {
    if (title) document.title = `${title} | ${siteName}`;
  }, [title, siteName]);
};

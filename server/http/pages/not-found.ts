import type { PageData } from './page-data.ts';

/** A page that is not there looks like the site and answers 404. */
export const notFoundPage = (title = 'Page not found'): PageData => ({
  status: 404,
  page: 'not-found',
  head: { title, description: 'There is nothing at this address.', canonical: '/', noindex: true },
  data: [],
});

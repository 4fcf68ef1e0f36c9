import type { BuildPage } from './page-data.ts';

/** A page of fixed text. */
export const textPage =
  (page: string, title: string, description: string): BuildPage =>
  async () => ({ page, head: { title, description, canonical: `/${page}` }, data: [] });

/** A page whose form holds what somebody wrote: before the browser has its code it could only be sent in the address. */
export const formPage =
  (...about: Parameters<typeof textPage>): BuildPage =>
  async (context) => ({ ...(await textPage(...about)(context)), isDrawnInBrowser: true });

/** A page that shows one's own things: the browser asks for them, search engines stay out. */
export const privatePage =
  (page: string, title: string): BuildPage =>
  async () => ({
    page,
    head: { title, description: title, canonical: `/${page}`, noindex: true },
    data: [],
    isDrawnInBrowser: true,
  });

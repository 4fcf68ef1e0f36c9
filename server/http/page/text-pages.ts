import type { BuildPage } from './model.ts';

/** A page of fixed text. */
export const textPage =
  (page: string, title: string, description: string): BuildPage =>
  async () => ({ page, head: { title, description, canonical: `/${page}` }, data: [] });

/** A page that shows one's own things: the browser asks for them, search engines stay out. */
export const privatePage =
  (page: string, title: string): BuildPage =>
  async () => ({ page, head: { title, description: title, canonical: `/${page}`, noindex: true }, data: [] });

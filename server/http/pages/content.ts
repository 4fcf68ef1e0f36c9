import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import type { InitialState } from '../../../contract/initial-state.ts';
import type { Logger } from '../../observability/log.ts';

/** Renders the HTML of #root for a path and query from these data; empty where it cannot be rendered. */
export type RenderContent = (url: string, initialState: InitialState) => Promise<string>;

interface ServerBundle {
  renderContent: RenderContent;
}

/**
 * Loads the server bundle of the pages with the first page: React and the pages take memory that a process which
 * renders nothing does not need. A page that fails to render is logged and sent without content; the browser then renders it.
 */
export function createPageRenderer(file: string, log: Logger): RenderContent {
  if (!existsSync(file)) return async () => '';
  let bundle: Promise<ServerBundle> | undefined;
  return async (url, initialState) => {
    try {
      bundle ??= import(pathToFileURL(file).href) as Promise<ServerBundle>;
      const { renderContent } = await bundle;
      return await renderContent(url, initialState);
    } catch (err) {
      log.error({ err, address: url }, 'page content not rendered');
      return '';
    }
  };
}

import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import type { InitialState } from '../../../contract/initial-state.ts';
import type { Logger } from '../../observability/log.ts';

export type RenderContent = (url: string, initialState: InitialState) => Promise<string>;

interface ServerBundle {
  renderContent: RenderContent;
}

/**
 * Loads the server bundle with the first page, because React and the pages take memory. If a page fails to render, the
 * error is logged and the page is sent without content; the client then renders it.
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

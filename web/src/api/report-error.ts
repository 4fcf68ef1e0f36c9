import { reportClientError } from '../../../contract/client-errors.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { isChunkLoadError } from '../lib/chunks.ts';
import { ApiError, apiRequest } from './client.ts';

/** Reports of one page: an error in a loop is known after a few. */
const MAX_REPORTS = 5;
let reports = 0;

/** Reports an error of the page's own code to the server. Failed requests are none: the server or the network knows them. */
export const reportError = (kind: 'hydration' | 'render' | 'unhandled', error: unknown): void => {
  if (!(error instanceof Error) || error instanceof ApiError || isChunkLoadError(error)) return;
  if (error.name === 'AbortError' || !navigator.onLine || ++reports > MAX_REPORTS) return;
  const body = {
    kind,
    message: error.message.slice(0, LIMITS.clientErrorMessage),
    stack: error.stack?.slice(0, LIMITS.clientErrorStack),
    path: location.pathname.slice(0, 200),
  };
  apiRequest(reportClientError, { body }).catch(() => {});
};

/** Reports what no handler catches. */
export const reportUnhandledErrors = (): void => {
  window.addEventListener('error', ({ error }) => reportError('unhandled', error));
  window.addEventListener('unhandledrejection', ({ reason }) => reportError('unhandled', reason));
};

/** For createRoot and hydrateRoot. */
export const REACT_ERROR_HANDLERS = {
  onRecoverableError: (error: unknown) => {
    console.error(error);
    reportError('hydration', error instanceof Error && error.cause ? error.cause : error);
  },
  onCaughtError: (error: unknown) => {
    console.error(error);
    reportError('render', error);
  },
  onUncaughtError: (error: unknown) => {
    console.error(error);
    reportError('render', error);
  },
};

import { reportClientError } from '../../../contract/client-errors.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { isChunkLoadError } from '../lib/chunks.ts';
import { ApiError, apiRequest } from './client.ts';

/** Limit per page load: an error in a loop must not flood the server. */
const MAX_REPORTS = 5;
let reports = 0;

/** Reports an error of our own code to the server. Ignores failed requests, which are not errors of the code. */
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

export const reportUnhandledErrors = (): void => {
  window.addEventListener('error', ({ error }) => reportError('unhandled', error));
  window.addEventListener('unhandledrejection', ({ reason }) => reportError('unhandled', reason));
};

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

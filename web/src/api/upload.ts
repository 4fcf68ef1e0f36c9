import type { EndpointSpec, ReplyOf } from '../../../contract/endpoint.ts';
import { createHeaders, TIME_LIMIT_MS, toApiError } from './client.ts';

export interface UploadOptions {
  /** Receives the share of the file that was sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file to an endpoint that takes one. It fails when nothing is sent or answered for the
 * time that other requests have in all. Throws an ApiError, or a TypeError without a response.
 */
export const uploadFile = <E extends EndpointSpec>(
  spec: E,
  file: Blob,
  { onProgress, signal }: UploadOptions,
): Promise<ReplyOf<E>> =>
  new Promise((resolve, reject) => {
    // fetch does not report progress
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expectProgress = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), TIME_LIMIT_MS);
    };
    const handleFailure = () => reject(new TypeError('The upload got no response'));
    request.open(spec.method, spec.path);
    for (const [name, value] of createHeaders(spec.path)) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', file.type);
    request.upload.onprogress = ({ loaded, total }) => {
      expectProgress();
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onload = () => {
      const { status, statusText, responseText } = request;
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText));
      else reject(toApiError(status, statusText, responseText));
    };
    request.onerror = handleFailure;
    request.onabort = handleFailure;
    request.onloadend = () => clearTimeout(timer);
    if (signal.aborted) return handleFailure();
    signal.addEventListener('abort', () => request.abort());
    expectProgress();
    request.send(file);
  });

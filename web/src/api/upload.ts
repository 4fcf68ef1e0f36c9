import type { EndpointSpec, ReplyOf } from '../../../contract/endpoint.ts';
import { createHeaders, toApiError } from './client.ts';

export interface UploadOptions {
  /** Receives the share of the file that was sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** An upload of which nothing is sent or answered for this time fails. */
const STALLED_MS = 60_000;

/** Sends a file to an endpoint that takes one. Throws an ApiError, or a TypeError without a response. */
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
      timer = setTimeout(() => request.abort(), STALLED_MS);
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

import { vi } from 'vitest';

type Handler = (() => void) | null;

class FakeUpload {
  static all: FakeUpload[] = [];
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = { onprogress: null };
  readonly headers = new Headers();
  onload: Handler = null;
  onerror: Handler = null;
  onabort: Handler = null;
  onloadend: Handler = null;
  status = 0;
  statusText = '';
  responseText = '';
  isAborted = false;
  target = '';

  open(method: string, path: string) {
    this.target = `${method} ${path}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value);
  }
  send() {
    FakeUpload.all.push(this);
  }
  abort() {
    this.isAborted = true;
    this.onabort?.();
    this.onloadend?.();
  }

  progress(share: number) {
    this.upload.onprogress?.({ loaded: share * 100, total: 100 });
  }
  answer(status: number, json: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(json);
    this.onload?.();
    this.onloadend?.();
  }
  finish(name: string) {
    const [url, thumbUrl] = ['full', 'thumb'].map((variant) => `/media/${name}/${variant}.jpg`);
    this.answer(201, { url, thumbUrl, width: 4, height: 3, color: '#ffffff' });
  }
  lose() {
    this.onerror?.();
    this.onloadend?.();
  }
}

/** Replaces XMLHttpRequest. Returns the uploads that began, which wait for the test. */
export const fakeUploads = (): FakeUpload[] => {
  FakeUpload.all = [];
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  return FakeUpload.all;
};

/** Replaces the resize worker: each photo is resized at once. */
export class QuickWorker {
  onmessage?: (event: { data: unknown }) => void;
  postMessage({ id }: { id: string }) {
    this.onmessage?.({ data: { id, photo: new Blob(['x'], { type: 'image/jpeg' }) } });
  }
  terminate() {}
}

/** Replaces the resize worker and never finishes resizing. */
export class SilentWorker {
  postMessage() {}
  terminate() {}
}

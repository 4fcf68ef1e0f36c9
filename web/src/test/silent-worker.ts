/** Stands in for the worker: the picture is being shrunk. */
export class SilentWorker {
  postMessage() {}
  terminate() {}
}

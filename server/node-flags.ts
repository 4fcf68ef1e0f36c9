/**
 * For node, in each process that pictures pass through. V8 counts their bytes as objects of its own, and with a heap as small
 * as ours looked through all of it once per ad: 60 ms of two cores. Up to so many MB it does not.
 */
export const HEAP = '--initial-old-space-size=128';

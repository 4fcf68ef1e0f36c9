/** For node, in the server and in each process that pictures pass through. */
export const NODE_FLAGS = [
  // V8 counts the bytes of pictures as objects of its own, and with a heap as small as ours looked through all of it once
  // per ad: 60 ms of two cores. Up to so many MB it does not
  '--initial-old-space-size=128',
  // npm links no package: asking for each of 900 files whether it is a link takes a tenth of the start
  '--preserve-symlinks',
];

/** Node flags for the server and for each process that decodes images. */
export const NODE_FLAGS = [
  // V8 counts image buffers as heap growth and collects a small heap for each upload, so start with a larger one
  '--initial-old-space-size=128',
  // npm links no package: without this flag, Node checks each module file for a symbolic link
  '--preserve-symlinks',
];

/**
 * Loaded into the server before its own code: where `make start` is killed with -9, nobody is left to stop the server,
 * which would hold the port against the next start. The kernel closes the channel to the parent with the parent.
 */
process.channel?.unref();
process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 5_000).unref();
});

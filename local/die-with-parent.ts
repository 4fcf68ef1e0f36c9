/**
 * Loaded into the server before its own code. Stops the server when `make start` is killed with -9; otherwise the
 * server would keep the port. The kernel closes the IPC channel when the parent ends.
 */
process.channel?.unref();
process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 5_000).unref();
});

/** An event handler that fetches code ahead of its use; when that fails, the use itself will say so. */
export const preload = (load: () => Promise<unknown>) => (): void => {
  load().catch(() => {});
};

export const registerServiceWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });

/** After everything that the page itself needs. Without it, the browser shows its own page when it is offline. */
export const registerWhenLoaded = (loadAhead: () => void): void => {
  if (!('serviceWorker' in navigator)) return;
  const register = async () => {
    loadAhead();
    try {
      await registerServiceWorker();
      await (await import('./offline-words.ts')).keepOfflineWords();
    } catch {
      // see above
    }
  };
  if (document.readyState === 'complete') void register();
  else window.addEventListener('load', () => void register());
};

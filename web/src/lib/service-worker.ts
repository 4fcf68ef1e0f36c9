export const registerServiceWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });

/** After everything that the page itself needs. Without it, the browser shows its own page when it is offline. */
export const registerWhenLoaded = (): void => {
  if (!('serviceWorker' in navigator)) return;
  const register = () => void registerServiceWorker().catch(() => {});
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
};

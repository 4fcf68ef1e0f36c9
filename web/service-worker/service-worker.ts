// Shows push notifications, and a page of its own when the network fails. It stores nothing, so it can never serve an old
// page. The pages keep its words in their language (web/src/lib/offline-words.ts). One file without imports, built to /service-worker.js.
declare const self: ServiceWorkerGlobalScope;

/** As sent by server/features/push/send.ts. */
interface Push {
  id: string | null;
  title: string;
  body: string;
  /** Path of the page that the notification leads to. */
  url: string;
}

const ENGLISH = {
  language: 'en',
  direction: 'ltr',
  title: 'You are offline',
  text: 'This page opens by itself when you are connected again.',
  tryAgain: 'Try again',
  trying: 'Trying…',
  failed: 'Still no connection.',
  notification: 'You have a new notification',
};
type Words = typeof ENGLISH;

/** Those of an earlier release may lack one. */
const readWords = async (): Promise<Words> => {
  const kept = await caches
    .match('/words')
    .then((response) => response?.json())
    .catch(() => undefined);
  return { ...ENGLISH, ...kept };
};

const readPush = async (data: PushMessageData | null): Promise<Push> => {
  let push: Push | undefined;
  try {
    push = data?.json();
  } catch {
    // A browser must show something for each push.
  }
  return push ?? { id: null, title: (await readWords()).notification, body: '', url: '/notifications' };
};

const show = ({ id, title, body, url }: Push): Promise<void> =>
  self.registration.showNotification(title, {
    body,
    icon: '/icon-192.png',
    tag: id ?? 'unreadable',
    data: { id, url },
  });

/** The id of the user who enabled push notifications here: features/push/browser-push.ts stores it. */
const readOwner = async (): Promise<string | undefined> => (await caches.match('/push-owner'))?.text();

const markRead = async (id: string | null): Promise<void> => {
  if (id === null) return;
  const owner = await readOwner();
  // Without a connection or the session of its receiver it stays unread.
  await fetch(`/api/notifications/${id}/read`, { method: 'PUT', headers: { 'X-User-Id': owner ?? '' } }).catch(
    () => {},
  );
};

/** Focuses a tab that shows the page, or opens one: another tab may hold text that is not saved. */
const openPage = async (url: string): Promise<void> => {
  const target = new URL(url, self.origin);
  const address = target.origin === self.origin ? target.href : self.origin;
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find((client) => client.url === address);
  await (tab ? tab.focus() : self.clients.openWindow(address));
};

const fetchJson = async (url: string) => {
  const response = await fetch(url);
  return response.ok ? response.json() : undefined;
};

const send = (userId: string, method: string, body: unknown): Promise<Response> =>
  fetch('/api/push/subscriptions', {
    method,
    headers: { 'Content-Type': 'application/json', 'X-User-Id': userId },
    body: JSON.stringify(body),
  });

/** The browser has replaced or ended its subscription. Subscribes again if its user is still signed in. */
const renew = async ({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent): Promise<void> => {
  const [owner, me] = await Promise.all([readOwner(), fetchJson('/api/auth/me')]);
  if (owner === undefined || owner !== me?.id) return;
  const { publicKey } = await fetchJson('/api/push/key');
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options));
  const { endpoint, keys } = subscription.toJSON();
  await send(owner, 'POST', { endpoint, keys });
  if (oldSubscription && oldSubscription.endpoint !== endpoint)
    await send(owner, 'DELETE', { endpoint: oldSubscription.endpoint });
};

/** Colors as in web/src/styles/tokens.css, theme as in web/index.html. */
const toOfflinePage = (nonce: string, words: Words): string => `<!doctype html>
<html lang="${words.language}" dir="${words.direction}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${words.title}</title>
<style nonce="${nonce}">
  :root { color-scheme: light; --background: #ffffff; --foreground: #14181f; --muted-foreground: #5d646e; --ring: #0265d9 }
  .dark { color-scheme: dark; --background: #0c0e13; --foreground: #f2f4f6; --muted-foreground: #a3aab4; --ring: #5ba8fc }
  body {
    display: grid; place-content: center; justify-items: center; gap: 1rem; min-height: 100dvh; margin: 0; padding: 1rem;
    box-sizing: border-box; font: 1rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
    text-align: center; background: var(--background); color: var(--foreground)
  }
  main { display: grid; justify-items: center; gap: 0.5rem; max-width: 24rem }
  h1, p { margin: 0 }
  h1 { font-size: 1.5rem }
  p, svg { color: var(--muted-foreground) }
  p:empty { display: none }
  button {
    min-height: 2.75rem; margin-top: 1rem; padding: 0 1.25rem; border: 0; border-radius: 0.625rem; font: inherit;
    font-weight: 500; background: var(--foreground); color: var(--background); cursor: pointer
  }
  button:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px }
</style>
<main>
  <svg width="48" height="48" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"
    stroke-linejoin="round" aria-hidden="true"><path d="m2 2 20 20M5.78 5.78A7 7 0 0 0 9 19h8.5a4.5 4.5 0 0 0 1.31-.2M21.5
    16.5a4.5 4.5 0 0 0-3.42-6.41 7 7 0 0 0-7.58-5.08"/></svg>
  <h1>${words.title}</h1>
  <p>${words.text}</p>
  <button>${words.tryAgain}</button>
  <p role="status"></p>
</main>
<script nonce="${nonce}">
  let theme = 'light';
  try { theme = localStorage.getItem('theme') } catch {}
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', isDark);
  const status = document.querySelector('[role=status]');
  const openPage = () => fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(() => location.reload());
  const tryQuietly = () => document.hidden || openPage().catch(() => {});
  document.querySelector('button').addEventListener('click', () => {
    status.textContent = ${JSON.stringify(words.trying)};
    openPage().catch(() => { status.textContent = ${JSON.stringify(words.failed)} });
  });
  addEventListener('online', tryQuietly);
  document.addEventListener('visibilitychange', tryQuietly);
  // browsers do not notice every return of the network; not all at once after an outage
  setInterval(tryQuietly, 5000 + 5000 * Math.random());
</script>`;

const openOffline = async (): Promise<Response> => {
  const nonce = crypto.randomUUID();
  const csp = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': csp };
  return new Response(toOfflinePage(nonce, await readWords()), { status: 503, headers });
};

/** Always from the network: the browser may have asked already, while this worker started. */
const navigate = async ({ request, preloadResponse }: FetchEvent): Promise<Response> => {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return openOffline();
  }
};

self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(self.registration.navigationPreload?.enable()));

self.addEventListener('fetch', (event) => {
  // a form that was sent would be lost: the browser itself offers to send it again
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(navigate(event));
});

self.addEventListener('push', (event) => event.waitUntil(readPush(event.data).then(show)));

self.addEventListener('notificationclick', (event) => {
  const { id, url } = event.notification.data as Push;
  event.notification.close();
  event.waitUntil(Promise.all([openPage(url), markRead(id)]));
});

self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(renew(event as PushSubscriptionChangeEvent)),
);

// Makes this file a module, so that its names are its own.
export type {};

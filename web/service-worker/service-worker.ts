// Shows push notifications and nothing else: without a fetch handler it can never serve an old page. One file without
// imports, built to /service-worker.js. Only people who enable push notifications install it.
declare const self: ServiceWorkerGlobalScope;

/** As sent by server/features/push/send.ts. */
interface Push {
  id: string | null;
  title: string;
  body: string;
  /** Path of the page that the notification leads to. */
  url: string;
}

const UNREADABLE: Push = { id: null, title: 'You have a new notification', body: '', url: '/notifications' };

const readPush = (data: PushMessageData | null): Push => {
  try {
    return data?.json() ?? UNREADABLE;
  } catch {
    // A browser must show something for each push.
    return UNREADABLE;
  }
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

self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('push', (event) => event.waitUntil(show(readPush(event.data))));

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

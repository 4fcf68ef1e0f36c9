import { getMe } from '../../../../contract/auth.ts';
import { getPushKey, subscribeToPush, unsubscribeFromPush } from '../../../../contract/push.ts';
import { apiRequest } from '../../api/client.ts';
import { registerServiceWorker } from '../../lib/service-worker.ts';

/**
 * Whether this browser can show push notifications. On an iPhone or iPad it can after the site was added to the Home
 * Screen.
 */
export type PushSupport = 'supported' | 'needs-home-screen' | 'unsupported';

const isAppleTouchDevice = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

export const getPushSupport = (): PushSupport => {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'supported';
  return isAppleTouchDevice() ? 'needs-home-screen' : 'unsupported';
};

const OWNER_CACHE = 'push';
const OWNER_KEY = '/push-owner';

/** The service worker reads the owner before it renews a subscription: another user may have signed in since. */
const writeOwner = async (userId: string): Promise<void> => {
  const cache = await caches.open(OWNER_CACHE);
  await cache.put(OWNER_KEY, new Response(userId));
};

const readOwner = async (): Promise<string | undefined> => (await caches.match(OWNER_KEY))?.text();

const findSubscription = async (): Promise<PushSubscription | null> => {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
};

/** The endpoint of this browser's subscription, which may belong to another user. Null without one. */
export const findEndpoint = async (): Promise<string | null> => (await findSubscription())?.endpoint ?? null;

const subscribe = async (publicKey: string): Promise<PushSubscription> => {
  await registerServiceWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  // An earlier one may be of another user or another key of the site, or gone at the push service.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
};

/**
 * Asks for permission, subscribes this browser and tells the server. Must be called in a click. Returns the endpoint, or
 * null if the user gave no permission.
 */
export const enablePush = async (userId: string): Promise<string | null> => {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { publicKey } = await apiRequest(getPushKey);
  const subscription = await subscribe(publicKey);
  const { endpoint, keys } = subscription.toJSON();
  // first: if the page closes in between, the next person's page still knows whose subscription this is
  await writeOwner(userId);
  await apiRequest(subscribeToPush, {
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
  });
  return subscription.endpoint;
};

/** Ends push notifications to this browser. */
export const disablePush = async (): Promise<void> => {
  const subscription = await findSubscription();
  if (subscription) await apiRequest(unsubscribeFromPush, { body: { endpoint: subscription.endpoint } });
  await unsubscribeBrowser();
};

/** Ends this browser's subscription at its push service. After a log-out, the server has already forgotten it. */
export const unsubscribeBrowser = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return;
  await (await findSubscription())?.unsubscribe();
  await caches.delete(OWNER_CACHE);
};

/**
 * Ends push notifications to this browser if another user than the signed-in one enabled them here. The server cannot:
 * the other session's cookie may be gone. The page may be an old one of that user, so the server says who is signed in.
 */
export const endPushOfPreviousUser = async (userId: string): Promise<void> => {
  const owner = await readOwner();
  if (owner === undefined || owner === userId) return;
  const { id } = await apiRequest(getMe);
  // the user may have enabled push meanwhile
  if (id !== owner && (await readOwner()) === owner) await unsubscribeBrowser();
};

import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Me } from '../../../../contract/user.ts';
import { useSession } from '../../api/session.ts';
import { type Answers, fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { unsubscribeBrowser } from './browser-push.ts';
import { PushButton } from './push-button.tsx';
import { useEndPushOfPreviousUser } from './use-end-push-of-previous-user.ts';

const KEY = 'BAAB';
const OWN = 'https://push.example/own';
const device = (endpoint: string) => ({ endpoint, createdAt: '2026-01-05T10:00:00.000Z' });

/** A browser's Push API. `subscription` is what it has now. */
const stubBrowser = (permission: NotificationPermission = 'default') => {
  const browser = {
    asked: permission,
    stored: new Map<string, string>(),
    subscription: null as ReturnType<typeof toSubscription> | null,
    unsubscribed: [] as string[],
    keys: [] as unknown[],
  };
  const toSubscription = (endpoint: string) => ({
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      browser.unsubscribed.push(endpoint);
      browser.subscription = null;
      return true;
    },
  });
  const pushManager = {
    getSubscription: async () => browser.subscription,
    subscribe: vi.fn(async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
      browser.keys.push(applicationServerKey);
      browser.subscription = toSubscription(OWN);
      return browser.subscription;
    }),
  };
  const registration = { pushManager };
  const serviceWorker = {
    register: vi.fn(async () => registration),
    getRegistration: async () =>
      serviceWorker.register.mock.calls.length > 0 || browser.subscription ? registration : undefined,
    ready: Promise.resolve(registration),
  };
  const Notifications = { permission, requestPermission: async () => (Notifications.permission = browser.asked) };
  vi.stubGlobal('Notification', Notifications);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('caches', {
    open: async () => ({
      put: async (name: string, response: Response) => void browser.stored.set(name, await response.text()),
    }),
    match: async (name: string) => {
      const stored = browser.stored.get(name);
      return stored === undefined ? undefined : new Response(stored);
    },
    delete: async () => browser.stored.clear(),
  });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
  return { browser, pushManager, serviceWorker, toSubscription };
};

beforeEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

const LIST = 'GET /api/push/subscriptions';
const SUBSCRIBE = 'POST /api/push/subscriptions';
const UNSUBSCRIBE = 'DELETE /api/push/subscriptions';

const open = (endpoints: string[] = [], more: Answers = {}) => {
  const devices = endpoints.map(device);
  const api = fakeApi({
    [LIST]: () => ({ json: devices }),
    'GET /api/push/key': { json: { publicKey: KEY } },
    [SUBSCRIBE]: async (request) => {
      const { endpoint } = await request.json();
      devices.unshift(device(endpoint));
      return { json: device(endpoint), status: 201 };
    },
    [UNSUBSCRIBE]: async (request) => {
      const { endpoint } = await request.json();
      devices.splice(
        devices.findIndex((other) => other.endpoint === endpoint),
        1,
      );
      return { status: 204 };
    },
    ...more,
  });
  renderAt({ routes: [{ path: '/', element: <PushButton userId="1001" /> }], boot: { me: sampleMe() } });
  return api;
};

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

describe('where push is not possible, it says why and offers no button', () => {
  test('in a browser without push, with the number of other devices', async () => {
    open([OWN, 'https://push.example/other']);
    await screen.findByText('This browser does not support push notifications. 2 other devices of yours get them.');
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('on an iPhone outside of the Home Screen', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)');
    open();
    await screen.findByText(/tap Share, then "Add to Home Screen", and open Tradepost from there/);
    vi.restoreAllMocks();
  });

  test('where the browser blocks notifications', async () => {
    stubBrowser('denied');
    open();
    await screen.findByText(/Your browser blocks notifications from Tradepost. Allow them in the settings/);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('enabling', () => {
  test('asks only after a click, subscribes, and can be undone on this device', async () => {
    const { browser, serviceWorker } = stubBrowser();
    browser.asked = 'granted';
    const api = open(['https://push.example/other']);
    await screen.findByText(/1 other device of yours gets them/);
    expect(Notification.permission).toBe('default');
    expect(serviceWorker.register).not.toHaveBeenCalled();
    await press('Enable push notifications');
    await screen.findByText(/Push notifications are on for this device/);
    expect(browser.keys).toEqual([KEY]);
    expect(browser.stored.get('/push-owner')).toBe('1001');
    await press('Disable on this device');
    await screen.findByRole('button', { name: 'Enable push notifications' });
    expect(api.asked.filter((name) => !name.startsWith('GET'))).toEqual([SUBSCRIBE, UNSUBSCRIBE]);
    expect(browser.unsubscribed).toEqual([OWN]);
    expect(browser.stored.size).toBe(0);
  });

  test('that the user refuses is shown as blocked', async () => {
    const { browser } = stubBrowser();
    browser.asked = 'denied';
    const api = open();
    (await screen.findByRole('button', { name: 'Enable push notifications' })).focus();
    await press('Enable push notifications');
    const text = await screen.findByText(/Your browser blocks notifications/);
    await waitFor(() => expect(document.activeElement?.contains(text)).toBe(true));
    expect(document.activeElement).not.toBe(document.body);
    expect(api.asked).not.toContain(SUBSCRIBE);
  });

  test('that fails says what to do, and works when it is repeated', async () => {
    const { browser, pushManager } = stubBrowser('granted');
    browser.asked = 'granted';
    pushManager.subscribe.mockRejectedValueOnce(new DOMException('Registration failed', 'AbortError'));
    open();
    await press('Enable push notifications');
    await screen.findByText(/the push service of your browser is not available/);
    await press('Enable push notifications');
    await screen.findByText(/Push notifications are on/);
  });

  test('replaces a subscription that the server does not know', async () => {
    const { browser, toSubscription } = stubBrowser('granted');
    browser.asked = 'granted';
    browser.subscription = toSubscription('https://push.example/old');
    open();
    await press('Enable push notifications');
    await screen.findByText(/Push notifications are on/);
    expect(browser.unsubscribed).toEqual(['https://push.example/old']);
  });
});

test("a browser that another user's session subscribed is not on for this user", async () => {
  const { browser, toSubscription } = stubBrowser('granted');
  browser.subscription = toSubscription(OWN);
  open();
  expect(await screen.findByRole('button', { name: 'Enable push notifications' })).toBeDefined();
});

test('disabling that fails leaves it on', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { browser, toSubscription } = stubBrowser('granted');
  browser.subscription = toSubscription(OWN);
  open([OWN], { [UNSUBSCRIBE]: { status: 503 } });
  await press('Disable on this device');
  await screen.findByText('Push notifications could not be disabled. Please try again.');
  await screen.findByRole('button', { name: 'Disable on this device' });
  expect(browser.unsubscribed).toEqual([]);
});

test('a list that fails to load offers to try again', async () => {
  let isUp = false;
  open([], { [LIST]: () => (isUp ? { json: [] } : { status: 503 }) });
  await screen.findByText('Failed to load your devices.');
  isUp = true;
  await press('Try again');
  await screen.findByText('This browser does not support push notifications.');
});

test('after a log-out, the browser ends its subscription', async () => {
  const { browser, toSubscription } = stubBrowser('granted');
  browser.subscription = toSubscription(OWN);
  browser.stored.set('/push-owner', '1001');
  await unsubscribeBrowser();
  await waitFor(() => expect([browser.unsubscribed, browser.stored.size]).toEqual([[OWN], 0]));
});

const Page = () => {
  useEndPushOfPreviousUser(useSession().user?.id);
  return <p>page</p>;
};

describe('when a user is signed in in a browser that has push notifications', () => {
  const openPage = ({
    me,
    signedIn = me,
    permission,
  }: {
    me: Me;
    signedIn?: Me;
    permission?: NotificationPermission;
  }) => {
    const { browser, toSubscription } = stubBrowser(permission ?? 'granted');
    browser.subscription = toSubscription(OWN);
    browser.stored.set('/push-owner', '1001');
    const api = fakeApi({ 'GET /api/auth/me': { json: signedIn } });
    renderAt({ routes: [{ path: '/', element: <Page /> }], boot: { me } });
    return { browser, api };
  };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
  const other = () => sampleMe({ id: '1002' });

  test('those of another user end, without a question', async () => {
    const { browser, api } = openPage({ me: other() });
    await waitFor(() => expect([browser.unsubscribed, browser.stored.size]).toEqual([[OWN], 0]));
    expect(api.asked).toEqual(['GET /api/auth/me']);
  });

  test('those that the new user enables meanwhile go on', async () => {
    const { browser, toSubscription } = stubBrowser('granted');
    browser.subscription = toSubscription(OWN);
    browser.stored.set('/push-owner', '1001');
    const api = fakeApi({
      'GET /api/auth/me': () => {
        browser.stored.set('/push-owner', '1002');
        return { json: other() };
      },
    });
    renderAt({ routes: [{ path: '/', element: <Page /> }], boot: { me: other() } });
    await waitFor(() => expect(api.asked).toEqual(['GET /api/auth/me']));
    await settle();
    expect([browser.unsubscribed, browser.stored.get('/push-owner')]).toEqual([[], '1002']);
  });

  test('their own go on', async () => {
    const { browser, api } = openPage({ me: sampleMe({ id: '1001' }) });
    await settle();
    expect([browser.unsubscribed, browser.stored.size, api.asked]).toEqual([[], 1, []]);
  });

  test('those of the user who is signed in go on, though the page is an old one of another user', async () => {
    const { browser, api } = openPage({ me: other(), signedIn: sampleMe({ id: '1001' }) });
    await waitFor(() => expect(api.asked).toEqual(['GET /api/auth/me']));
    await settle();
    expect([browser.unsubscribed, browser.stored.size]).toEqual([[], 1]);
  });

  test('without the permission, there are none to end', async () => {
    const { browser, api } = openPage({ me: other(), permission: 'default' });
    await settle();
    expect([browser.unsubscribed, api.asked]).toEqual([[], []]);
  });
});

import { beforeEach, describe, expect, test, vi } from 'vitest';

const ORIGIN = 'https://market.example';

interface Tab {
  url: string;
  focus(): Promise<void>;
}

/** The scope of a service worker: what it called, in order. */
const createScope = () => {
  const calls: string[] = [];
  /** For whom each write is: the server refuses another session. */
  const writers: (string | null)[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const replies = new Map<string, unknown>();
  const tabs: Tab[] = [];
  const owner = { id: undefined as string | undefined };
  const words = { kept: undefined as object | undefined };
  const scope = {
    origin: ORIGIN,
    skipWaiting: vi.fn(),
    addEventListener: (type: string, listener: (event: object) => void) => void listeners.set(type, listener),
    registration: {
      showNotification: async (title: string, options: object) =>
        void calls.push(JSON.stringify({ title, ...options })),
      pushManager: {
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          calls.push(`subscribe ${applicationServerKey}`);
          return toSubscription('https://push.example/new');
        },
      },
    },
    clients: {
      matchAll: async () => tabs,
      openWindow: async (url: string) => void calls.push(`open ${url}`),
    },
  };
  vi.stubGlobal('self', scope);
  vi.stubGlobal('caches', {
    match: async (name: string) => {
      if (name === '/words') return words.kept && Response.json(words.kept);
      return name === '/push-owner' && owner.id ? new Response(owner.id) : undefined;
    },
  });
  vi.stubGlobal('fetch', async (url: string | object, { method = 'GET', body, headers }: RequestInit = {}) => {
    if (method !== 'GET') {
      calls.push([method, url, body].filter(Boolean).join(' '));
      writers.push(new Headers(headers).get('X-User-Id'));
    }
    const reply = replies.get(String(url));
    if (reply instanceof Error) throw reply;
    return reply === undefined ? new Response('{}', { status: 401 }) : Response.json(reply);
  });
  const dispatch = async (type: string, event: object) => {
    const promises: Promise<unknown>[] = [];
    listeners.get(type)!({ ...event, waitUntil: (promise: Promise<unknown>) => promises.push(promise) });
    await Promise.all(promises);
  };
  return { calls, writers, dispatch, listeners, replies, tabs, owner, words };
};

const toSubscription = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
});

let scope: ReturnType<typeof createScope>;
beforeEach(async () => {
  vi.resetModules();
  scope = createScope();
  await import('./service-worker.ts');
});

describe('a page that is opened', () => {
  /** What the worker answers; undefined leaves the request to the browser. */
  const open = async (
    request: { mode: string; method: string; url: string },
    preloadResponse = Promise.resolve<Response | undefined>(undefined),
  ): Promise<Response | undefined> => {
    let answer: Promise<Response> | undefined;
    const respondWith = (response: Promise<Response>): void => {
      answer = response;
    };
    scope.listeners.get('fetch')!({ request, preloadResponse, respondWith });
    return answer;
  };
  const page = { mode: 'navigate', method: 'GET', url: '/safety-tips' };

  test('comes from the network', async () => {
    scope.replies.set('[object Object]', { fresh: true });
    expect(await (await open(page))?.json()).toEqual({ fresh: true });
    expect(await (await open(page, Promise.resolve(new Response('preloaded'))))?.text()).toBe('preloaded');
  });

  test.each([
    ['its request', () => open(page)],
    ['the preloaded request', () => open(page, Promise.reject(new TypeError('Failed to fetch')))],
  ])('without a network says so: %s fails', async (_, openPage) => {
    scope.replies.set('[object Object]', new TypeError('Failed to fetch'));
    const offline = await openPage();
    expect(offline?.status).toBe(503);
    const nonce = /script-src 'nonce-([^']+)'/.exec(offline?.headers.get('Content-Security-Policy') ?? '')?.[1];
    const html = (await offline?.text()) ?? '';
    expect(html).toContain(`<script nonce="${nonce}">`);
    expect(html).toContain('<h1>You are offline</h1>');
  });

  test('without a network says so in the language of the last page, and in English what that lacks', async () => {
    scope.replies.set('[object Object]', new TypeError('Failed to fetch'));
    scope.words.kept = { language: 'ar', direction: 'rtl', title: 'أنت غير متصل' };
    const html = (await (await open(page))?.text()) ?? '';
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<h1>أنت غير متصل</h1>');
    expect(html).toContain('<button>Try again</button>');
  });

  test.each([
    ['a form that was sent', { ...page, method: 'POST' }],
    ['data', { ...page, mode: 'cors' }],
  ])('is left to the browser if it is %s', async (_, request) => {
    expect(await open(request)).toBeUndefined();
  });
});

describe('a push', () => {
  const show = async (json: () => unknown) => {
    await scope.dispatch('push', { data: { json } });
    return JSON.parse(scope.calls[0] ?? '');
  };

  test('shows the title and text of its notification', async () => {
    const push = { id: '5', title: 'Price dropped', body: 'Oak table', url: '/ads/7' };
    expect(await show(() => push)).toEqual({
      title: 'Price dropped',
      body: 'Oak table',
      icon: '/icon-192.png',
      tag: '5',
      data: { id: '5', url: '/ads/7' },
    });
  });

  test.each([
    ['that is not JSON', () => JSON.parse('{')],
    ['without data', () => undefined],
  ])('%s shows that there is something', async (_, json) => {
    expect(await show(json)).toMatchObject({ title: 'You have a new notification', data: { url: '/notifications' } });
  });
});

describe('a click', () => {
  const click = (data: object) => {
    const close = () => void scope.calls.push('close');
    return scope.dispatch('notificationclick', { notification: { data, close } });
  };
  const openTab = (path: string) => {
    const url = ORIGIN + path;
    scope.tabs.push({ url, focus: async () => void scope.calls.push(`focus ${url}`) });
  };

  test('opens the page of the notification and marks it as read', async () => {
    scope.owner.id = '7';
    openTab('/');
    await click({ id: '5', url: '/ads/7?from=push' });
    expect(scope.calls.toSorted()).toEqual([
      'PUT /api/notifications/5/read',
      'close',
      `open ${ORIGIN}/ads/7?from=push`,
    ]);
    expect(scope.writers).toEqual(['7']);
  });

  test('focuses a tab that shows the page', async () => {
    openTab('/');
    openTab('/ads/7');
    await click({ id: '5', url: '/ads/7' });
    expect(scope.calls).toContain(`focus ${ORIGIN}/ads/7`);
    expect(scope.calls.join()).not.toContain('open');
  });

  test('opens the page without a connection, too', async () => {
    scope.replies.set('/api/notifications/5/read', new TypeError('Failed to fetch'));
    await click({ id: '5', url: '/ads/7' });
    expect(scope.calls).toContain(`open ${ORIGIN}/ads/7`);
  });

  test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])('never leads to %s', async (url) => {
    await click({ id: '5', url });
    expect(scope.calls).toContain(`open ${ORIGIN}`);
  });
});

describe('a subscription that the browser replaces', () => {
  const signIn = (id: string) => {
    scope.replies.set('/api/auth/me', { id });
    scope.replies.set('/api/push/key', { publicKey: 'KEY' });
    scope.replies.set('/api/push/subscriptions', {});
  };
  const NEW = '{"endpoint":"https://push.example/new","keys":{"p256dh":"p","auth":"a"}}';

  test('is renewed for the user who enabled push notifications here', async () => {
    scope.owner.id = '7';
    signIn('7');
    await scope.dispatch('pushsubscriptionchange', { oldSubscription: toSubscription('https://push.example/old') });
    expect(scope.calls).toEqual([
      'subscribe KEY',
      `POST /api/push/subscriptions ${NEW}`,
      'DELETE /api/push/subscriptions {"endpoint":"https://push.example/old"}',
    ]);
    expect(scope.writers).toEqual(['7', '7']);
  });

  test('is taken from the event if that has it', async () => {
    scope.owner.id = '7';
    signIn('7');
    const newSubscription = toSubscription('https://push.example/new');
    await scope.dispatch('pushsubscriptionchange', { oldSubscription: null, newSubscription });
    expect(scope.calls).toEqual([`POST /api/push/subscriptions ${NEW}`]);
  });

  test.each([
    ['another user signed in', '7', '8'],
    ['no user is signed in', '7', undefined],
    ['push notifications were disabled here', undefined, '7'],
  ])('is not renewed after %s', async (_, owner, user) => {
    scope.owner.id = owner;
    if (user) signIn(user);
    await scope.dispatch('pushsubscriptionchange', { oldSubscription: toSubscription('https://push.example/old') });
    expect(scope.calls).toEqual([]);
  });
});

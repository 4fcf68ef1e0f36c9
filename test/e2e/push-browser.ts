import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page, type Worker } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../harness/chromium.ts';
import { startPushService } from '../harness/push-service.ts';
import { type CloudMessaging, startCloudMessaging } from './cloud-messaging.ts';

/*
 * Chromium subscribes, decrypts and shows by itself. Replaced are Google's servers (cloud-messaging.ts), and Google's
 * address in the endpoint, between page and server: the push service of the harness takes its place. No tool can click a
 * notification of the operating system: the test hands the service worker the event of a click.
 */

export interface PushBrowser {
  context: BrowserContext;
  cloud: CloudMessaging;
  close: () => Promise<void>;
}

/** Starts a browser of its own: Chromium has no push notifications in a private window, and other contexts are such windows. */
export const openPushBrowser = async (options: BrowserContextOptions = {}): Promise<PushBrowser> => {
  const service = await startPushService();
  const cloud = await startCloudMessaging(service);
  const profile = mkdtempSync(join(tmpdir(), 'tradepost-push-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    serviceWorkers: 'allow',
    executablePath: findChromium(),
    args: [...CHROMIUM_FLAGS, ...cloud.flags],
    baseURL: process.env.E2E_ADDRESS ?? '',
  });
  await context.route('**/api/push/subscriptions', async (route) => {
    const postData = route.request().postData();
    const response = await route.fetch(postData ? { postData: cloud.toService(postData) } : {});
    await route.fulfill({ response, body: cloud.toBrowser(await response.text()) });
  });
  return {
    context,
    cloud,
    async close() {
      await context.close();
      await cloud.close();
      await service.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
};

export interface BrowserEvent {
  /** As DevTools names it, such as "Notification displayed". */
  name: string;
  details: Record<string, string>;
}

/** Records what the browser does with pushes and notifications, as DevTools shows it under "Background services". */
export const recordBrowser = async (page: Page): Promise<BrowserEvent[]> => {
  const events: BrowserEvent[] = [];
  const devtools = await page.context().newCDPSession(page);
  devtools.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent }) => {
    const { eventName: name, eventMetadata } = backgroundServiceEvent;
    events.push({ name, details: Object.fromEntries(eventMetadata.map(({ key, value }) => [key, value])) });
  });
  for (const service of ['notifications', 'pushMessaging'] as const) {
    await devtools.send('BackgroundService.startObserving', { service });
    await devtools.send('BackgroundService.setRecording', { service, shouldRecord: true });
  }
  return events;
};

/** The scope of a service worker, as far as the script below uses it: this project's types are those of a page. */
interface WorkerScope extends EventTarget {
  clients: { openWindow(url: string): Promise<null> };
}

/** Hands the service worker the event of a click on a notification. Returns the pages that it opened. */
export const clickNotification = (worker: Worker, data: { id: string; url: string }): Promise<string[]> =>
  worker.evaluate(async (data) => {
    const scope = self as unknown as WorkerScope;
    const opened: string[] = [];
    // Without a real click, the browser would refuse to.
    scope.clients.openWindow = async (url) => {
      opened.push(url);
      return null;
    };
    const promises: Promise<unknown>[] = [];
    const waitUntil = (promise: Promise<unknown>) => promises.push(promise);
    const event = Object.assign(new Event('notificationclick'), { notification: { data, close() {} }, waitUntil });
    scope.dispatchEvent(event);
    await Promise.all(promises);
    return opened;
  }, data);

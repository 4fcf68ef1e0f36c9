import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Notification } from '../../../../contract/notifications.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleMe } from '../../test/samples.ts';
import { NotificationList } from './notification-list.tsx';

const sample = (fields: Partial<Notification> = {}): Notification => ({
  id: '7',
  kind: 'report_outcome',
  title: 'We removed the ad you reported.',
  body: '',
  url: null,
  isRead: false,
  createdAt: new Date().toISOString(),
  ...fields,
});

const LIST = 'GET /api/notifications';
const open = (answers: Parameters<typeof fakeApi>[0]) => {
  const api = fakeApi(answers);
  const routes = [
    { path: '/', element: <NotificationList /> },
    { path: '/ads/1', element: <h1>The ad</h1> },
  ];
  return { api, ...renderAt({ routes, boot: { me: sampleMe() } }) };
};

test('opening an unread notification marks it read and leads to its subject', async () => {
  const { api, router } = open({
    [LIST]: { json: [sample({ url: '/ads/1' }), sample({ id: '6', title: 'An older one', isRead: true })] },
    'PUT /api/notifications/7/read': { json: { id: '7', isRead: true } },
  });
  const link = await screen.findByRole('link', { name: /^Unread: We removed the ad you reported\./ });
  expect(screen.getByText('An older one').className).not.toContain('font-semibold');
  expect(screen.getByText('We removed the ad you reported.').className).toContain('font-semibold');
  fireEvent.click(link);
  await screen.findByRole('heading', { name: 'The ad' });
  expect(router.state.location.pathname).toBe('/ads/1');
  await waitFor(() => expect(api.asked).toContain('PUT /api/notifications/7/read'));
});

test('a notification without a subject is marked read where it is, and cannot be pressed again', async () => {
  const { api } = open({
    [LIST]: { json: [sample({ kind: 'notice', title: 'News', body: 'Line one\nLine two' })] },
    'PUT /api/notifications/7/read': () => {
      api.answers[LIST] = { json: [sample({ kind: 'notice', title: 'News', isRead: true })] };
      return { json: { id: '7', isRead: true } };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: /News/ }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /News/ })).toBeNull());
  expect(screen.getByText('News')).toBeDefined();
});

test('"Mark all as read" names the newest notification on screen, and goes when nothing is unread', async () => {
  let upTo: unknown;
  const { api } = open({
    [LIST]: { json: [sample({ id: '9' }), sample({ id: '8' })] },
    'PUT /api/notifications/read': async (request) => {
      upTo = await request.json();
      api.answers[LIST] = { json: [sample({ id: '9', isRead: true })] };
      return { json: { unreadCount: 0 } };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull());
  expect(upTo).toEqual({ upTo: '9' });
});

test('loads more below what is shown', async () => {
  open({
    [LIST]: { json: [sample({ title: 'First' })], headers: { Link: '</api/notifications?cursor=7>; rel="next"' } },
    'GET /api/notifications?cursor=7': { json: [sample({ id: '5', title: 'Second' })] },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  await screen.findByText('Second');
  expect(screen.getByText('First')).toBeDefined();
});

test('says that there are none', async () => {
  open({ [LIST]: { json: [] } });
  await screen.findByRole('heading', { name: 'No notifications yet' });
});

test('offers another attempt after a failure', async () => {
  const { api } = open({ [LIST]: { status: 500 } });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  api.answers[LIST] = { json: [] };
  fireEvent.click(retry);
  await screen.findByRole('heading', { name: 'No notifications yet' });
});

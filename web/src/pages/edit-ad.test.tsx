import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd, sampleMe } from '../test/samples.ts';
import { EditAdPage } from './edit-ad.tsx';

const FORM = '/ads/1/edit';
const routes = [
  { path: '/', element: <p>home</p> },
  { path: '/ads/:id/edit', element: <EditAdPage /> },
];
const title = () => screen.queryByLabelText<HTMLInputElement>('Title')?.value;

const open = () => renderAt({ routes, at: FORM, boot: { me: sampleMe(), data: { '/api/ads/1': sampleAd() } } });

/** Opens the form, and sends another title. */
const submit = () => {
  const { router } = open();
  for (const [label, value] of Object.entries({ Title: 'Pine table', Category: 'Furniture' }))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Update Ad' }));
  return router;
};

/** Leaves the form while the update of its title is on its way. */
const leaveWhileSent = async () => {
  const { promise, resolve } = Promise.withResolvers<{ status?: number; json: unknown }>();
  const { answers } = fakeApi({ 'PUT /api/ads/1': () => promise });
  const router = submit();
  await screen.findByText('Updating...');
  expect(title()).toBe('Pine table');
  await act(() => router.navigate('/'));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('home');
  const reopen = () => act(() => router.navigate(FORM));
  const goHome = () => act(() => router.navigate('/'));
  const answer = (status: number, json?: unknown) => act(async () => resolve({ status, json }));
  return { answers, answer, reopen, goHome };
};
const refusal = { message: 'Try later', code: 'unavailable', requestId: 'r' };
const titleShown = async () => (await screen.findByLabelText<HTMLInputElement>('Title')).value;

test('reopened while an update is on its way, the form waits for it, and does not offer to take it back', async () => {
  const { answer, reopen } = await leaveWhileSent();
  await reopen();
  expect(title()).toBeUndefined();
  await answer(200, sampleAd({ title: 'Pine table' }));
  expect(await titleShown()).toBe('Pine table');
  expect(screen.queryByText('Your changes are back')).toBeNull();
});

test('reopened while an update is on its way that is refused, the form has what was refused', async () => {
  const { answer, reopen } = await leaveWhileSent();
  await reopen();
  expect(title()).toBeUndefined();
  await answer(503, refusal);
  await waitFor(() => expect(title()).toBe('Pine table'));
});

test('what was refused after the form was left is kept for the next time, and asked about before it is left again', async () => {
  const { answer, reopen, goHome } = await leaveWhileSent();
  await answer(503, refusal);
  expect(await screen.findByText('Try later Your texts are kept in this tab.')).toBeDefined();
  await reopen();
  expect(await screen.findByText('Your changes are back')).toBeDefined();
  expect(title()).toBe('Pine table');
  await goHome();
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('home');
  await reopen();
  expect(await titleShown()).toBe('Oak table');
});

test('an update that was stored, though its answer was lost, is in the ad, and nothing of it is left to save', async () => {
  const { answers, answer, reopen, goHome } = await leaveWhileSent();
  await reopen();
  answers['GET /api/ads/1'] = { json: sampleAd({ title: 'Pine table' }) };
  await answer(504);
  expect(await titleShown()).toBe('Pine table');
  await goHome();
  expect(await screen.findByText('home')).toBeDefined();
});

test('what is sent without an answer is kept for whoever leaves while the ad is read again', async () => {
  const { promise, resolve } = Promise.withResolvers<{ json: unknown }>();
  const { asked } = fakeApi({ 'PUT /api/ads/1': { status: 504 }, 'GET /api/ads/1': () => promise });
  const router = submit();
  await waitFor(() => expect(asked).toContain('GET /api/ads/1'));
  await act(() => router.navigate('/'));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('home');
  await act(() => router.navigate(FORM));
  await act(async () => resolve({ json: sampleAd() }));
  await waitFor(() => expect(title()).toBe('Pine table'));
});

test('what was refused in a form that was not left is its alone: left later, it is gone as the question says', async () => {
  fakeApi({ 'PUT /api/ads/1': { status: 503, json: refusal } });
  const router = submit();
  expect(await screen.findByText('Try later')).toBeDefined();
  await act(() => router.navigate('/'));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('home');
  await act(() => router.navigate(FORM));
  expect(await titleShown()).toBe('Oak table');
});

test('an update that found the session ended is in the form again after signing in', async () => {
  const json = { message: 'Unauthorized', code: 'unauthenticated', requestId: 'r' };
  fakeApi({ 'PUT /api/ads/1': { status: 401, json } });
  submit();
  expect(await screen.findByText('Please sign in to edit ads')).toBeDefined();
  expect(await screen.findByText(/^Unauthorized/)).toBeDefined();
  cleanup();
  open();
  expect(await titleShown()).toBe('Pine table');
});

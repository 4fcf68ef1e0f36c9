import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { sampleAd, sampleMe } from '../../test/samples.ts';
import { EditAdPage } from './page.tsx';

const FORM = '/ads/1/edit';
const routes = [
  { path: '/', element: <p>home</p> },
  { path: '/ads/:id/edit', element: <EditAdPage /> },
];
const title = () => screen.queryByLabelText<HTMLInputElement>('Title')?.value;

/** Reopens the form while the update of its title is on its way. */
const reopen = async () => {
  const { promise, resolve } = Promise.withResolvers<{ status?: number; json: unknown }>();
  fakeApi({ 'PUT /api/ads/1': () => promise });
  const { router } = renderAt({ routes, at: FORM, boot: { me: sampleMe(), data: { '/api/ads/1': sampleAd() } } });
  for (const [label, value] of Object.entries({ Title: 'Pine table', Category: 'Furniture' }))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Update Ad' }));
  await screen.findByText('Updating...');
  expect(title()).toBe('Pine table');
  await act(() => router.navigate('/'));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('home');
  await act(() => router.navigate(FORM));
  return (status: number, json: unknown) => act(async () => resolve({ status, json }));
};

test('reopened while an update is on its way, the form waits for it, and does not offer to take it back', async () => {
  const answer = await reopen();
  expect(title()).toBeUndefined();
  await answer(200, sampleAd({ title: 'Pine table' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe('Pine table');
});

test('reopened while an update is on its way that is refused, the form begins with the ad as it is', async () => {
  const answer = await reopen();
  expect(title()).toBeUndefined();
  await answer(503, { message: 'Try later', code: 'unavailable', requestId: 'r' });
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe('Oak table');
});

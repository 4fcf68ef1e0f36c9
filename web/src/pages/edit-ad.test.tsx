import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
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

const READ = 'GET /api/ads/1';
const STORED = { [READ]: { json: sampleAd() } };

const open = async () => {
  const view = renderAt({ routes, at: FORM, boot: { me: sampleMe() } });
  await screen.findByLabelText('Title');
  return view;
};

const submit = async () => {
  const { router } = await open();
  for (const [label, value] of Object.entries({ Title: 'Pine table', Category: 'furniture' }))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Update Ad' }));
  return router;
};

const leaveWhileSent = async () => {
  const { promise, resolve } = Promise.withResolvers<{ status?: number; json: unknown }>();
  const { answers } = fakeApi({ ...STORED, 'PUT /api/ads/1': () => promise });
  const router = await submit();
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
  const { answers, answer, reopen } = await leaveWhileSent();
  await reopen();
  expect(title()).toBeUndefined();
  answers[READ] = { json: sampleAd({ title: 'Pine table' }) };
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

test('what was refused in a form that was not left is its alone: left later, it is gone as the question says', async () => {
  fakeApi({ ...STORED, 'PUT /api/ads/1': { status: 503, json: refusal } });
  const router = await submit();
  expect(await screen.findByText('Try later')).toBeDefined();
  await act(() => router.navigate('/'));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('home');
  await act(() => router.navigate(FORM));
  expect(await titleShown()).toBe('Oak table');
});

test('an update that found the session ended is in the form again after signing in', async () => {
  const json = { message: 'Unauthorized', code: 'unauthenticated', requestId: 'r' };
  fakeApi({ ...STORED, 'PUT /api/ads/1': { status: 401, json } });
  await submit();
  expect(await screen.findByText('Please sign in to edit ads')).toBeDefined();
  expect(await screen.findByText(/^Unauthorized/)).toBeDefined();
  cleanup();
  await open();
  expect(await titleShown()).toBe('Pine table');
});

const conflict = { status: 409, json: { message: 'Changed', code: 'conflict', requestId: 'r' } };

/** Opens version 1 of the ad and sends a new title after another client has changed the price. */
const submitOutdated = async (bodies: unknown[], elsewhere = sampleAd({ price: '99.00', version: '2' })) => {
  const { answers } = fakeApi({
    [READ]: { json: sampleAd({ version: '1' }) },
    'PUT /api/ads/1': async (request) => {
      const body = (await request.json()) as { title: string; price: string; version: string };
      bodies.push(body);
      return body.version === '1' ? conflict : { json: sampleAd({ ...body, version: '3' }) };
    },
  });
  const view = await open();
  answers[READ] = { json: elsewhere };
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Pine table' } });
  fireEvent.change(screen.getByLabelText('Category'), { target: { value: 'furniture' } });
  fireEvent.click(screen.getByRole('button', { name: 'Update Ad' }));
  return view;
};

test('an ad that was changed elsewhere is shown beside the changes; saving them anyway overwrites it', async () => {
  const bodies: unknown[] = [];
  await submitOutdated(bodies);
  const dialog = await screen.findByRole('dialog', { name: 'This ad was changed elsewhere' });
  for (const text of ['Pine table', 'Oak table', '120', '99']) expect(within(dialog).getByText(text)).toBeDefined();
  expect(within(dialog).queryByText('Description')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Save my version' }));
  expect(await screen.findByText('Your ad has been updated successfully.')).toBeDefined();
  expect(bodies).toMatchObject([
    { title: 'Pine table', price: '120', version: '1' },
    { title: 'Pine table', price: '120', version: '2' },
  ]);
});

test('photos and details of another version are named as people know them', async () => {
  const image = (name: string) => ({
    url: `/media/${name}/full`,
    thumbUrl: `/media/${name}/thumb`,
    width: 4,
    height: 3,
    color: '',
  });
  const withPhotos = (...names: string[]) => ({
    images: names.map(image),
    imageUrls: names.map((name) => image(name).url),
  });
  const car = { category: 'Vehicles', categorySlug: 'vehicles' };
  const opened = sampleAd({ ...car, ...withPhotos('a1', 'b2'), details: { fuel: 'petrol' }, version: '1' });
  const elsewhere = {
    ...opened,
    ...withPhotos('b2', 'c3'),
    details: { fuel: 'diesel', mileage: 120_000 },
    version: '2',
  };
  const { answers } = fakeApi({ [READ]: { json: opened }, 'PUT /api/ads/1': conflict });
  await open();
  answers[READ] = { json: elsewhere };
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Pine table' } });
  fireEvent.change(screen.getByLabelText('Category'), { target: { value: 'vehicles' } });
  fireEvent.click(screen.getByRole('button', { name: 'Update Ad' }));
  const dialog = await screen.findByRole('dialog', { name: 'This ad was changed elsewhere' });
  const texts = [...dialog.querySelectorAll('dd p[dir]')].map((text) => text.textContent);
  expect(texts).toEqual([
    'Pine table',
    'Oak table',
    'Fuel: Petrol',
    'Mileage: 120,000 km\nFuel: Diesel',
    'Photo 1\nPhoto 2',
    'Photo 2\nA photo added elsewhere',
  ]);
});

test('the saved version of an ad that was changed elsewhere can replace the changes', async () => {
  const bodies: unknown[] = [];
  await submitOutdated(bodies);
  fireEvent.click(await screen.findByRole('button', { name: 'Use the saved version' }));
  await waitFor(() => expect(title()).toBe('Oak table'));
  expect(screen.getByLabelText<HTMLInputElement>('Price').value).toBe('99');
  expect(bodies).toHaveLength(1);
});

test('a change elsewhere that leaves the texts and photos as they were is no conflict', async () => {
  const bodies: unknown[] = [];
  await submitOutdated(bodies, sampleAd({ isSold: true, version: '2' }));
  expect(await screen.findByText('Your ad has been updated successfully.')).toBeDefined();
  expect(bodies).toMatchObject([{ version: '1' }, { version: '2' }]);
});

test('the form opens with the ad as it is now, not with a copy from the cache', async () => {
  fakeApi({ [READ]: { json: sampleAd({ title: 'Pine table' }) } });
  renderAt({ routes, at: FORM, boot: { me: sampleMe(), data: { '/api/ads/1': sampleAd() } } });
  expect(await titleShown()).toBe('Pine table');
});

test('a restored draft does not overwrite what was changed elsewhere since it was sent', async () => {
  const { answers, answer, reopen } = await leaveWhileSent();
  await answer(503, refusal);
  answers[READ] = { json: sampleAd({ price: '99.00', version: '2' }) };
  answers['PUT /api/ads/1'] = async (request) => {
    const body = (await request.json()) as { version: string };
    return body.version === '2' ? { json: sampleAd({ version: '3' }) } : conflict;
  };
  await reopen();
  expect(await titleShown()).toBe('Pine table');
  fireEvent.change(screen.getByLabelText('Category'), { target: { value: 'furniture' } });
  fireEvent.click(screen.getByRole('button', { name: 'Update Ad' }));
  expect(await screen.findByRole('dialog', { name: 'This ad was changed elsewhere' })).toBeDefined();
});

test.each([
  ['the ad', ['/', '/ads/1'], '/'],
  ['elsewhere', ['/'], '/'],
])('opened from %s, neither saving nor Cancel leaves the form in the history', async (_, way, before) => {
  for (const [button, left] of [
    ['Update Ad', '/ads/1'],
    ['Cancel', '/ads/1'],
    ['Back to Ad', '/ads/1'],
  ] as const) {
    fakeApi({ ...STORED, 'PUT /api/ads/1': { json: sampleAd() } });
    const isFromAd = way.length > 1;
    const { router } = renderAt({
      routes: [...routes, { path: '/ads/:id', element: <p>the ad</p> }],
      boot: { me: sampleMe() },
    });
    for (const path of way.slice(1)) await act(() => router.navigate(path));
    await act(() => router.navigate(FORM, { state: { isFromAd } }));
    fireEvent.change(await screen.findByLabelText('Category'), { target: { value: 'furniture' } });
    fireEvent.click(screen.getByText(button));
    await screen.findByText('the ad');
    expect(router.state.location.pathname).toBe(left);
    await act(() => router.navigate(-1));
    expect(router.state.location.pathname).toBe(before);
    cleanup();
  }
});

test('only an ad that does not exist is called so; another failure can be tried again', async () => {
  const { answers } = fakeApi({ [READ]: { status: 503, json: refusal } });
  renderAt({ routes, at: FORM, boot: { me: sampleMe() } });
  expect(await screen.findByText('Failed to fetch the ad')).toBeDefined();
  expect(screen.queryByText('Ad not found')).toBeNull();
  answers[READ] = STORED[READ];
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await titleShown()).toBe('Oak table');
  cleanup();
  answers[READ] = { status: 404, json: { ...refusal, code: 'not_found' } };
  renderAt({ routes, at: FORM, boot: { me: sampleMe() } });
  expect(await screen.findByText('Ad not found')).toBeDefined();
});

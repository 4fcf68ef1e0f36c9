import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { expect, test, vi } from 'vitest';
import { CreateAdPage } from '../../../pages/create-ad.tsx';
import { EditAdPage } from '../../../pages/edit-ad.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { renderAt } from '../../../test/render-at.tsx';
import { sampleAd, sampleMe } from '../../../test/samples.ts';
import { SilentWorker } from '../../../test/silent-worker.ts';
import { AdFields } from './ad-form.tsx';
import { EMPTY_AD } from './ad-values.ts';

const routes = [
  { path: '/', element: <p>home</p> },
  { path: '/create-ad', element: <CreateAdPage /> },
  { path: '/ads/:id/edit', element: <EditAdPage /> },
];
const refusal = { status: 503, json: { message: 'Try later', code: 'unavailable', requestId: 'r' } };
const forms = [
  { at: '/create-ad', request: 'POST /api/ads', label: 'Post Ad', busy: 'Creating...' },
  { at: '/ads/1/edit', request: 'PUT /api/ads/1', label: 'Update Ad', busy: 'Updating...' },
];

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const fillIn = () => {
  const values = { Title: 'Pine table', Description: 'Solid', Price: '120', Category: 'furniture' };
  for (const [label, value] of Object.entries(values)) fireEvent.change(field(label), { target: { value } });
};
const STORED = { 'GET /api/ads/1': { json: sampleAd() } };
const open = async (at: string) => {
  const view = renderAt({ routes, at, boot: { me: sampleMe() } });
  await screen.findByLabelText('Title');
  return view;
};

test.each(forms)('the form at $at has a control for every field of an ad', async ({ at }) => {
  fakeApi(STORED);
  renderAt({ routes, at, boot: { me: sampleMe({ canLinkOut: true }) } });
  await screen.findByLabelText('Title');
  fireEvent.change(field('Category'), { target: { value: 'furniture' } });
  await screen.findByLabelText('Material');
  const shown = [...field('Title').form!.elements].map((element) => element.getAttribute('name'));
  // the location chooses the place; the controls of details and photos have no names
  const nameless = ['placeId', 'details', 'imageUrls'];
  const wanted = Object.keys(EMPTY_AD).filter((name) => !nameless.includes(name));
  expect(wanted.filter((name) => !shown.includes(name))).toEqual([]);
});

test.each(forms)('nothing can be changed at $at while it is sent, and the focus waits on its button', async (form) => {
  const { promise, resolve } = Promise.withResolvers<typeof refusal>();
  const api = fakeApi({ ...STORED, [form.request]: () => promise });
  await open(form.at);
  fillIn();
  const sets = () => ['Title', 'Photos'].map((label) => field(label).closest('fieldset')?.disabled);
  expect(sets()).toEqual([false, false]);
  field('Title').focus();

  const button = screen.getByRole<HTMLButtonElement>('button', { name: form.label });
  fireEvent.click(button);
  await screen.findByText(form.busy);
  expect(api.asked.at(-1)).toBe(form.request);
  expect(api.asked.filter((request) => !request.startsWith('GET '))).toEqual([form.request]);
  expect(sets()).toEqual([true, true]);
  expect(screen.getByRole('checkbox').closest('fieldset')?.disabled).toBe(true);
  expect(document.activeElement).toBe(button);
  const zone = screen.getByText('Drag photos here');
  fireEvent.drop(zone, { dataTransfer: { files: [new File(['x'], 'late.jpg', { type: 'image/jpeg' })] } });
  expect(screen.queryByRole('listitem')).toBeNull();
  expect(button.disabled).toBe(false);

  await act(async () => resolve(refusal));
  await waitFor(() => expect(sets()).toEqual([false, false]));
  expect(document.activeElement).toBe(button);
});

const refused = { price: 'Not this price', description: 'Not these words' };
const complaint = { message: 'Not these words', code: 'validation_failed', fields: refused, requestId: 'r' };

test.each(forms)('a refusal that names fields of $at leads to the first of them, beside its error', async (form) => {
  fakeApi({ ...STORED, [form.request]: { status: 400, json: complaint } });
  await open(form.at);
  fillIn();
  fireEvent.click(screen.getByRole('button', { name: form.label }));
  await waitFor(() => expect(document.activeElement).toBe(field('Price')));
  const described = field('Price').getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
  expect(document.getElementById(described)?.textContent).toBe(refused.price);
});

const refusePictures = async (form: (typeof forms)[number], fields: Record<string, string>) => {
  const json = { message: 'Not this', code: 'invalid_image', fields, requestId: 'r' };
  fakeApi({ ...STORED, [form.request]: { status: 400, json } });
  await open(form.at);
  fillIn();
  fireEvent.click(screen.getByRole('button', { name: form.label }));
};

test.each(forms)('photos refused at $at have the error beside them, and the focus goes there', async (form) => {
  await refusePictures(form, { 'imageUrls.2': 'Not a picture', title: 'Not this title' });
  const problem = await screen.findByText('Photo 3: Not a picture');
  await waitFor(() => expect(document.activeElement).toBe(problem));
  expect(screen.getByRole('button', { name: 'Browse photos' }).getAttribute('aria-describedby')).toBe(problem.id);
});

test('the error about the photos stays until they change', async () => {
  vi.stubGlobal('Worker', SilentWorker);
  await refusePictures(forms[0]!, { imageUrls: 'Too many' });
  expect(await screen.findByText('Too many')).toBeDefined();
  const photo = new File(['x'], 'photo.jpg', { type: 'image/jpeg' });
  fireEvent.change(field('Photos'), { target: { files: [photo] } });
  await screen.findByRole('listitem', { name: /^photo\.jpg/ });
  expect(screen.queryByText('Too many')).toBeNull();
});

test('a person who has gone elsewhere while it was sent is not called back to the refused field', async () => {
  const { promise, resolve } = Promise.withResolvers<{ status: number; json: typeof complaint }>();
  fakeApi({ 'POST /api/ads': () => promise });
  await open('/create-ad');
  fillIn();
  fireEvent.click(screen.getByRole('button', { name: 'Post Ad' }));
  await screen.findByText('Creating...');
  const cancel = screen.getByRole('button', { name: 'Cancel' });
  cancel.focus();
  await act(async () => resolve({ status: 400, json: complaint }));
  await waitFor(() => expect(field('Description').getAttribute('aria-invalid')).toBe('true'));
  expect(await screen.findByRole('button', { name: 'Post Ad' })).toBeDefined();
  expect(document.activeElement).toBe(cancel);
});

test.each(forms)(
  'a person who leaves $at while it is sent is not called away again, but sees a message',
  async (form) => {
    const { promise, resolve } = Promise.withResolvers<{ json: unknown }>();
    fakeApi({ ...STORED, [form.request]: () => promise });
    const { router } = await open(form.at);
    fillIn();
    fireEvent.click(screen.getByRole('button', { name: form.label }));
    await screen.findByText(form.busy);
    await act(() => router.navigate('/'));
    expect(await screen.findByText(/^Your (ad is|changes are) still being sent\./)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
    expect(await screen.findByText('home')).toBeDefined();
    await act(async () => resolve({ json: { ...sampleAd(), postedToX: false, intentUrl: null } }));
    expect(
      await screen.findByText(/^Your ad has been successfully created|has been updated successfully/),
    ).toBeDefined();
    // One task later, the response has been processed.
    await act(() => new Promise((after) => setTimeout(after)));
    expect(router.state.location.pathname).toBe('/');
  },
);

const sendAndLeave = async ({ router }: Awaited<ReturnType<typeof open>>) => {
  fillIn();
  fireEvent.click(screen.getByRole('button', { name: 'Post Ad' }));
  await screen.findByText('Creating...');
  await act(() => router.navigate('/'));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('home');
};

const leaveWhileSent = async () => {
  const { promise, resolve } = Promise.withResolvers<typeof refusal>();
  const firstKeys: (string | null)[] = [];
  const { answers } = fakeApi({
    'POST /api/ads': (request) => {
      firstKeys.push(request.headers.get('Idempotency-Key'));
      return promise;
    },
  });
  const view = await open('/create-ad');
  await sendAndLeave(view);
  const refuse = async () => {
    await act(async () => resolve(refusal));
    await screen.findByText('Try later');
  };
  return { answers, firstKeys, view, refuse, go: (to: string) => act(() => view.router.navigate(to)) };
};

// happy-dom does not select the default value of a select.
const chooseCategory = () => fireEvent.change(field('Category'), { target: { value: 'furniture' } });

test('an ad in flight stays the draft of the tab, and posting it unchanged again has the same key', async () => {
  const { answers, firstKeys, refuse, go } = await leaveWhileSent();
  const keys: (string | null)[] = [];
  answers['POST /api/ads'] = (request) => {
    keys.push(request.headers.get('Idempotency-Key'));
    return { json: { ...sampleAd(), postedToX: false, intentUrl: null } };
  };
  expect(Object.values(sessionStorage).join()).toContain('Pine table');
  await go('/create-ad');
  expect(field('Title').value).toBe('Pine table');
  await refuse();
  expect(field('Title').value).toBe('Pine table');
  chooseCategory();
  fireEvent.click(screen.getByRole('button', { name: 'Post Ad' }));
  expect(await screen.findByText('Your ad has been successfully created and is now live.')).toBeDefined();
  expect(keys).toEqual(firstKeys);
  expect(Object.values(sessionStorage).join()).not.toContain('Pine table');
});

test('an ad whose response was lost has the same key after a reload, and another once it is changed', async () => {
  const keys: (string | null)[] = [];
  fakeApi({
    'POST /api/ads': (request) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return { status: 504 };
    },
  });
  const post = async (tries: number) => {
    fireEvent.click(screen.getByRole('button', { name: 'Post Ad' }));
    await waitFor(() => expect(keys).toHaveLength(tries));
    await screen.findByRole('button', { name: 'Post Ad' });
  };
  await open('/create-ad');
  fillIn();
  await post(1);
  await post(2);
  cleanup();
  await open('/create-ad');
  chooseCategory();
  await post(3);
  fireEvent.change(field('Price'), { target: { value: '90' } });
  await post(4);
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[3]).not.toBe(keys[0]);
});

test('an ad that is sent stays out of the way of another draft that is typed meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<{ json: unknown }>();
  fakeApi({ 'POST /api/ads': () => promise });
  const view = await open('/create-ad');
  await sendAndLeave(view);
  await act(() => view.router.navigate('/create-ad'));
  fireEvent.change(field('Title'), { target: { value: 'Oak chair' } });
  await act(async () => resolve({ json: { ...sampleAd(), postedToX: false, intentUrl: null } }));
  expect(await screen.findByText('Your ad has been successfully created and is now live.')).toBeDefined();
  expect(field('Title').value).toBe('Oak chair');
  expect(Object.values(sessionStorage).join()).toContain('Oak chair');
});

test('an ad that is refused takes the place of no other that was begun meanwhile', async () => {
  const { refuse, go } = await leaveWhileSent();
  await go('/create-ad');
  fireEvent.change(field('Title'), { target: { value: 'Oak chair' } });
  await refuse();
  expect(field('Title').value).toBe('Oak chair');
  cleanup();
  await open('/create-ad');
  expect(field('Title').value).toBe('Oak chair');
});

const BOOKS = [{ slug: 'books', name: 'Books', emoji: '', icon: null }];

const LateCategories = () => {
  const [categories, setCategories] = useState<typeof BOOKS>([]);
  return (
    <FormProvider {...useForm({ defaultValues: { ...EMPTY_AD, category: 'books' } })}>
      <AdFields categories={categories} messagesLabel="" isEdit />
      <button type="button" onClick={() => setCategories(BOOKS)}>
        Arrive
      </button>
    </FormProvider>
  );
};

test('the category of a draft is chosen once the categories arrive', async () => {
  fakeApi({});
  renderAt({ routes: [{ path: '/', element: <LateCategories /> }], boot: { me: sampleMe() } });
  expect(field('Category').value).toBe('');
  fireEvent.click(screen.getByText('Arrive'));
  expect(field('Category').value).toBe('books');
});

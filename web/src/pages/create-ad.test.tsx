import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { fakeUploads, QuickWorker } from '../test/fake-uploads.ts';
import { renderAt } from '../test/render-at.tsx';
import { sampleAd, sampleMe } from '../test/samples.ts';
import { SilentWorker } from '../test/silent-worker.ts';
import { CreateAdPage } from './create-ad.tsx';

const routes = [
  { path: '/create-ad', element: <CreateAdPage /> },
  { path: '/dashboard', element: <p>the dashboard</p> },
];
const NEWEST = `GET /api/users/${sampleMe().id}/ads?limit=1`;
const LAST = `last-ad:${sampleMe().id}`;
beforeEach(() => localStorage.setItem(LAST, JSON.stringify({ location: '', placeId: '', allowMessages: true })));

const open = (me = sampleMe()) => renderAt({ routes, at: '/create-ad', boot: { me } });
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Post Ad' }));

const submitAgain = () => fireEvent.click(screen.getByRole('button', { name: 'Uploading photos…' }));

const fillIn = () => {
  type('Title', 'Oak table');
  type('Description', 'Solid');
  type('Price', '120');
  type('Category', 'furniture');
};

test('asks those who are not signed in to do so', () => {
  renderAt({ routes, at: '/create-ad' });
  expect(screen.getByRole('heading', { name: 'Please sign in to create an ad' })).toBeDefined();
  expect(screen.getByText('You need to be logged in to post ads.')).toBeDefined();
});

test('names every field that is missing, beside the field, and sends nothing', async () => {
  const api = fakeApi({});
  open();
  submit();
  for (const message of ['Title is required', 'Description is required', 'Price is required', 'Category is required'])
    expect(await screen.findByText(message)).toBeDefined();
  expect(screen.getByLabelText('Title').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(screen.getByLabelText('Title'));
  expect(api.asked).toEqual([]);
});

test('sends the ad with its category as a slug, tells of success and goes to the dashboard', async () => {
  const bodies: unknown[] = [];
  fakeApi({
    'POST /api/ads': async (request) => {
      bodies.push(await request.json());
      return { status: 201, json: { ...sampleAd(), postedToX: false, intentUrl: null } };
    },
  });
  const { router } = open();
  fillIn();
  submit();
  expect(await screen.findByText('the dashboard')).toBeDefined();
  expect(router.state.historyAction, 'Back does not open an empty form').toBe('REPLACE');
  expect(await screen.findByText('Your ad has been successfully created and is now live.')).toBeDefined();
  expect(bodies).toMatchObject([
    { title: 'Oak table', price: '120', category: 'furniture', allowMessages: true, imageUrls: [] },
  ]);
  expect(Object.values(sessionStorage).join()).not.toContain('Oak table');
});

test('a price with a comma is what it says, shows how it was understood, and is refused if it could be two', async () => {
  const bodies: unknown[] = [];
  const api = fakeApi({
    'POST /api/ads': async (request) => {
      bodies.push(await request.json());
      return { status: 201, json: { ...sampleAd(), postedToX: false, intentUrl: null } };
    },
  });
  open();
  fillIn();
  const price = screen.getByLabelText<HTMLInputElement>('Price');
  // a number field would drop the comma
  expect(price.type).toBe('text');
  const understood = ['12,50', '1,250', '$1.250,00', '1 250'].map((typed) => {
    type('Price', typed);
    fireEvent.blur(price);
    return price.value;
  });
  expect(understood).toEqual(['12.50', '1250', '1250.00', '1250']);
  type('Price', '1.250');
  fireEvent.blur(price);
  submit();
  expect(await screen.findByText('Enter a price such as 25, 9.50 or 1,250, up to 99,999,999.99')).toBeDefined();
  expect(api.asked).toEqual([]);
  type('Price', '12,50');
  fireEvent.blur(price);
  submit();
  await waitFor(() => expect(bodies).toMatchObject([{ price: '12.50' }]));
});

test('asks for the details of the category, keeps those of another one, and sends only its own', async () => {
  const bodies: unknown[] = [];
  fakeApi({
    'POST /api/ads': async (request) => {
      bodies.push(await request.json());
      return { status: 201, json: { ...sampleAd(), postedToX: false, intentUrl: null } };
    },
  });
  open();
  fillIn();
  type('Category', 'vehicles');
  fireEvent.change(await screen.findByLabelText('Year'), { target: { value: 'old' } });
  expect(screen.getByLabelText('Mileage (km)')).toBeDefined();
  submit();
  expect(await screen.findByText('Must be a number from 1800 to 2100, without decimals')).toBeDefined();
  expect(bodies).toEqual([]);
  type('Category', 'sports');
  fireEvent.change(await screen.findByLabelText('Size'), { target: { value: 'M' } });
  expect(screen.queryByLabelText('Year')).toBeNull();
  type('Category', 'vehicles');
  expect((await screen.findByLabelText<HTMLInputElement>('Year')).value).toBe('old');
  type('Category', 'sports');
  type('Condition', 'like_new');
  type('Kind of price', 'negotiable');
  submit();
  expect(await screen.findByText('the dashboard')).toBeDefined();
  expect(bodies).toMatchObject([{ condition: 'like_new', priceType: 'negotiable', price: '120' }]);
  expect(bodies[0]).toHaveProperty('details', { size: 'M' });
});

test('a free ad costs nothing, and the typed price comes back with another kind of price', () => {
  fakeApi({});
  open();
  type('Price', '25');
  type('Kind of price', 'free');
  expect(screen.getByLabelText<HTMLInputElement>('Price')).toMatchObject({ value: '0', readOnly: true });
  type('Kind of price', 'fixed');
  expect(screen.getByLabelText<HTMLInputElement>('Price')).toMatchObject({ value: '25', readOnly: false });
});

test('shows the server’s words when it refuses, each beside its field', async () => {
  fakeApi({
    'POST /api/ads': {
      status: 400,
      json: {
        message: 'Check the title',
        code: 'validation_failed',
        fields: { title: 'Not this title' },
        requestId: 'r',
      },
    },
  });
  open();
  fillIn();
  submit();
  expect(await screen.findByText('Not this title')).toBeDefined();
  expect(await screen.findByText('Check the title')).toBeDefined();
});

test('the texts of an unfinished ad survive a reload, but are not there for the person who signs in next', async () => {
  const title = () => screen.getByLabelText<HTMLInputElement>('Title').value;
  open();
  type('Title', 'Half an ad');
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).toContain('Half an ad'));
  cleanup();
  open();
  expect(title()).toBe('Half an ad');
  cleanup();
  open(sampleMe({ id: '1002' }));
  expect(title()).toBe('');
});

const question = () => screen.queryByRole('alertdialog')?.textContent ?? '';
const isUnloadHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a draft that was only looked at is left without a question, for the tab keeps it', async () => {
  open();
  type('Title', 'Half an ad');
  expect(isUnloadHeld()).toBe(true);
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).toContain('Half an ad'));
  cleanup();
  const { router } = open();
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Half an ad');
  expect(isUnloadHeld()).toBe(false);
  await act(() => router.navigate('/dashboard'));
  expect(await screen.findByText('the dashboard')).toBeDefined();
});

const choosePhoto = () => {
  const files = [new File(['x'], 'photo.jpg', { type: 'image/jpeg' })];
  fireEvent.change(screen.getByLabelText('Photos'), { target: { files } });
};

test('photos that were all taken out again leave nothing to ask about', async () => {
  vi.stubGlobal('Worker', SilentWorker);
  const { router } = open();
  choosePhoto();
  fireEvent.click(await screen.findByRole('button', { name: 'Remove photo 1' }));
  expect(screen.queryByRole('listitem')).toBeNull();
  expect(isUnloadHeld()).toBe(false);
  await act(() => router.navigate('/dashboard'));
  expect(await screen.findByText('the dashboard')).toBeDefined();
});

test('photos are called lost only where some are not uploaded', async () => {
  vi.stubGlobal('Worker', SilentWorker);
  const { router } = open();
  type('Title', 'Half an ad');
  await act(() => router.navigate('/dashboard'));
  await waitFor(() => expect(question()).toContain('Your texts are kept in this tab.'));
  expect(question()).not.toContain('photos');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(question()).toBe(''));
  choosePhoto();
  await screen.findByRole('listitem');
  await act(() => router.navigate('/dashboard'));
  await waitFor(() =>
    expect(question()).toContain(
      'Photos that are not uploaded yet are lost when you leave. Your texts and photos are kept',
    ),
  );
});

const openWithUploads = () => {
  vi.stubGlobal('Worker', QuickWorker);
  const uploads = fakeUploads();
  const bodies: unknown[] = [];
  const { asked } = fakeApi({
    'POST /api/ads': async (request) => {
      bodies.push(await request.json());
      return { status: 201, json: { ...sampleAd(), postedToX: false, intentUrl: null } };
    },
  });
  open();
  return { uploads, bodies, asked };
};

test('a photo is uploaded while the person types, kept with the draft, and the ad names its address', async () => {
  const { uploads, bodies } = openWithUploads();
  choosePhoto();
  await waitFor(() => expect(uploads).toHaveLength(1));
  fillIn();
  await act(async () => uploads[0]!.finish('a'));
  cleanup();
  open();
  expect(await screen.findByRole('listitem', { name: 'Photo 1, photo 1 of 1' })).toBeDefined();
  // happy-dom does not select the default value of a select
  type('Category', 'furniture');
  submit();
  expect(await screen.findByText('the dashboard')).toBeDefined();
  expect(bodies).toMatchObject([{ title: 'Oak table', imageUrls: ['/media/a/full.jpg'] }]);
});

test('starting over drops the photos of the draft too', async () => {
  const { uploads } = openWithUploads();
  choosePhoto();
  await waitFor(() => expect(uploads).toHaveLength(1));
  await act(async () => uploads[0]!.finish('a'));
  cleanup();
  open();
  await screen.findByRole('listitem');
  fireEvent.click(screen.getByRole('button', { name: 'Start over' }));
  expect(screen.queryByRole('listitem')).toBeNull();
  expect(Object.values(sessionStorage).join()).not.toContain('/media/a');
});

test('pressed while a photo is still uploaded, the button posts the ad once it is', async () => {
  const { uploads, bodies, asked } = openWithUploads();
  fillIn();
  choosePhoto();
  await waitFor(() => expect(uploads).toHaveLength(1));
  submit();
  expect(await screen.findByText('Uploading photos…')).toBeDefined();
  submitAgain();
  expect(asked).toEqual([]);
  await act(async () => uploads[0]!.finish('a'));
  expect(await screen.findByText('the dashboard')).toBeDefined();
  expect(bodies).toMatchObject([{ imageUrls: ['/media/a/full.jpg'] }]);
});

test('with an upload that failed the ad is not posted, but the photo can be removed', async () => {
  const { uploads, bodies, asked } = openWithUploads();
  fillIn();
  choosePhoto();
  await waitFor(() => expect(uploads).toHaveLength(1));
  submit();
  await screen.findByText('Uploading photos…');
  await act(async () => uploads[0]!.lose());
  const problem = 'Not every photo is uploaded. Try again, or remove those that failed.';
  await waitFor(() => expect(document.activeElement?.textContent).toBe(problem));
  submit();
  expect(asked).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Remove photo 1' }));
  submit();
  expect(await screen.findByText('the dashboard')).toBeDefined();
  expect(bodies).toMatchObject([{ imageUrls: [] }]);
});

test('two clicks while the first is still being checked post one ad', async () => {
  const { asked } = fakeApi({
    'POST /api/ads': { status: 201, json: { ...sampleAd(), postedToX: false, intentUrl: null } },
  });
  open();
  fillIn();
  submit();
  submit();
  await screen.findByText('the dashboard');
  expect(asked.filter((request) => request === 'POST /api/ads')).toHaveLength(1);
});

test('a restored draft says so, and can be thrown away', async () => {
  fakeApi({});
  open();
  expect(screen.queryByText(/^What you typed earlier is back/)).toBeNull();
  type('Title', 'Oak table');
  type('Price', '120');
  cleanup();
  open();
  expect(screen.getByText(/^What you typed earlier is back/)).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Oak table');
  fireEvent.click(screen.getByRole('button', { name: 'Start over' }));
  expect(screen.queryByText(/^What you typed earlier is back/)).toBeNull();
  for (const label of ['Title', 'Price']) expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe('');
  expect(document.activeElement).toBe(screen.getByLabelText('Title'));
  cleanup();
  open();
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('');
});

describe('the category', () => {
  const PROPOSED = 'GET /api/search/category?title=Oak+table';
  const category = () => screen.getByLabelText<HTMLSelectElement>('Category').value;
  const HINT = 'Proposed from the title. Choose another if it does not fit.';

  test('is proposed from the title, until the person chooses one', async () => {
    const api = fakeApi({
      [PROPOSED]: { json: { categorySlug: 'furniture' } },
      'GET /api/search/category?title=Oak+mandolin': { json: { categorySlug: 'musical-instruments' } },
    });
    open();
    type('Title', 'Oak table');
    expect(await screen.findByText(HINT)).toBeDefined();
    expect(category()).toBe('furniture');
    type('Title', 'Oak mandolin');
    await waitFor(() => expect(category()).toBe('musical-instruments'));
    type('Category', 'books');
    await waitFor(() => expect(screen.queryByText(HINT)).toBeNull());
    type('Title', 'Oak table');
    submit();
    expect(await screen.findByText('Price is required')).toBeDefined();
    expect(category()).toBe('books');
    expect(api.asked).toHaveLength(2);
  });
});

describe('in a browser that has posted nothing yet', () => {
  const newest = sampleAd({ location: 'Portland, OR', placeId: '5746545', allowMessages: false });
  const place = () => screen.getByLabelText<HTMLInputElement>('Location').value;
  beforeEach(() => localStorage.removeItem(LAST));

  test('the form opens with the place of the newest ad, and can be left without a question', async () => {
    fakeApi({ [NEWEST]: { json: [newest] } });
    const { router } = open();
    await waitFor(() => expect(place()).toBe('Portland, OR'));
    expect(screen.getByLabelText<HTMLInputElement>(/^Allow messages/).checked).toBe(false);
    await act(() => router.navigate('/dashboard'));
    expect(await screen.findByText('the dashboard')).toBeDefined();
  });

  test('what was typed meanwhile stays', async () => {
    const { promise, resolve } = Promise.withResolvers<{ json: unknown }>();
    fakeApi({ [NEWEST]: () => promise });
    open();
    type('Title', 'Oak table');
    await screen.findByLabelText('Location');
    await act(async () => resolve({ json: [newest] }));
    await waitFor(() => expect(place()).toBe('Portland, OR'));
    expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Oak table');
  });
});

test('what the server asks about is answered below the form', async () => {
  const bodies: Record<string, unknown>[] = [];
  const asks = [
    { code: 'odd_price', message: 'This is an unusually high price for Furniture.' },
    { code: 'similar_ad', message: 'You already have a similar ad.', fields: { similarAd: '/ads/7' } },
  ];
  fakeApi({
    'POST /api/ads': async (request) => {
      bodies.push(await request.json());
      const ask = asks.shift();
      if (ask) return { status: 409, json: { ...ask, requestId: 'r' } };
      return { status: 201, json: { ...sampleAd(), postedToX: false, intentUrl: null } };
    },
  });
  open();
  fillIn();
  submit();
  expect(await screen.findByText('This is an unusually high price for Furniture.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Post anyway' }));
  expect(await screen.findByText('You already have a similar ad.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'View that ad' }).getAttribute('href')).toBe('/ads/7');
  fireEvent.click(screen.getByRole('button', { name: 'Post anyway' }));
  expect(await screen.findByText('the dashboard')).toBeDefined();
  expect(bodies.map(({ confirmPrice, confirmSimilar }) => [confirmPrice, confirmSimilar])).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test('a copy of an ad is filled with it and its photos', async () => {
  const ad = sampleAd({ id: '9', title: 'Oak table', price: '240.00', imageUrls: ['/media/a/full.jpg'] });
  const bodies: unknown[] = [];
  fakeApi({
    'GET /api/ads/9': { json: ad },
    'POST /api/ads': async (request) => {
      bodies.push(await request.json());
      return { status: 201, json: { ...ad, postedToX: false, intentUrl: null } };
    },
  });
  renderAt({ routes, at: '/create-ad?copy=9', boot: { me: sampleMe() } });
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe('Oak table');
  // happy-dom drops the value that a select is given while it is mounted
  type('Category', 'furniture');
  submit();
  await waitFor(() =>
    expect(bodies).toMatchObject([{ title: 'Oak table', price: '240', imageUrls: ['/media/a/full.jpg'] }]),
  );
});

test('place and messages are proposed as in the last ad', async () => {
  const ad = sampleAd({ location: 'Salem, OR', placeId: '5750162', allowMessages: false });
  fakeApi({ 'POST /api/ads': { status: 201, json: { ...ad, postedToX: false, intentUrl: null } } });
  open();
  fillIn();
  submit();
  await screen.findByText('the dashboard');
  cleanup();
  open();
  expect((await screen.findByLabelText<HTMLInputElement>('Location')).value).toBe('Salem, OR');
  expect(screen.getByLabelText<HTMLInputElement>('Allow messages through platform').checked).toBe(false);
  expect(screen.queryByText(/^What you typed earlier/)).toBeNull();
});

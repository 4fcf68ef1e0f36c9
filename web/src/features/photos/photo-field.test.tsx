import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { CREATE_RULES } from '../../pages/create-ad.tsx';
import { fakeUploads } from '../../test/fake-uploads.ts';
import { renderAt } from '../../test/render-at.tsx';
import { type AdValues, EMPTY_AD } from '../ads/form/ad-values.ts';
import { useAdPhotos } from '../ads/form/use-ad-photos.ts';
import { PhotoField } from './photo-field.tsx';

type Fate = 'shrinks' | 'cannot read' | 'is lost';
const PIXEL = new Blob(['x'], { type: 'image/jpeg' });

class FakeWorker {
  static fate: Fate = 'shrinks';
  onmessage?: (event: { data: unknown }) => void;
  onerror?: () => void;
  private isOver = false;
  terminate() {
    this.isOver = true;
  }
  postMessage({ id }: { id: string }) {
    if (this.isOver) return;
    const { fate } = FakeWorker;
    this.isOver = fate === 'is lost';
    if (fate === 'is lost') this.onerror?.();
    else this.onmessage?.({ data: fate === 'shrinks' ? { id, photo: PIXEL } : { id, error: 'InvalidStateError' } });
  }
}

const Form = ({ saved = [] }: { saved?: string[] }) => {
  const form = useForm<AdValues>({ defaultValues: { ...EMPTY_AD, imageUrls: saved } });
  const photos = useAdPhotos(form, CREATE_RULES);
  return (
    <>
      <PhotoField photos={photos} maxBytesLabel="5MB" />
      <button type="button" disabled={photos.isWorking}>
        Post Ad
      </button>
      <output>{form.watch('imageUrls').join()}</output>
    </>
  );
};

const choose = (name: string, fate: Fate) => {
  FakeWorker.fate = fate;
  const files = [new File(['x'], name, { type: 'image/jpeg' })];
  fireEvent.change(screen.getByLabelText('Photos'), { target: { files } });
};
const post = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Post Ad' });
let uploads: ReturnType<typeof fakeUploads>;
/** The upload that began last but `before`, once it has begun. */
const nextUpload = async (count: number) => {
  await waitFor(() => expect(uploads).toHaveLength(count));
  return uploads[count - 1]!;
};

beforeEach(() => {
  uploads = fakeUploads();
  vi.stubGlobal('Worker', FakeWorker);
  renderAt({ routes: [{ path: '/', element: <Form /> }] });
});

test('a photo that cannot be read leaves no empty place behind, least of all as the cover', async () => {
  choose('broken.jpg', 'cannot read');
  expect(await screen.findByText(/^broken\.jpg could not be read\./)).toBeDefined();
  expect(screen.queryByRole('listitem', { name: /broken\.jpg/ })).toBeNull();
  choose('good.jpg', 'shrinks');
  expect(await screen.findByRole('listitem', { name: 'good.jpg, photo 1 of 1' })).toBeDefined();
});

test('a worker that is lost, for example without a network, is reported as that, and the next photo gets another', async () => {
  choose('first.jpg', 'is lost');
  expect(await screen.findByText('first.jpg could not be prepared. Please choose it again.')).toBeDefined();
  choose('first.jpg', 'shrinks');
  expect(await screen.findByRole('listitem', { name: 'first.jpg, photo 1 of 1' })).toBeDefined();
  const upload = await nextUpload(1);
  await act(async () => upload.finish('a'));
  await waitFor(() => expect(post().disabled).toBe(false));
});

test('photos are uploaded one after another, with progress, and the form then holds their addresses in order', async () => {
  for (const name of ['a.jpg', 'b.jpg']) choose(name, 'shrinks');
  const first = await nextUpload(1);
  expect([first.target, first.headers.get('Content-Type')]).toEqual(['POST /api/photos', 'image/jpeg']);
  act(() => first.progress(0.4));
  expect(screen.getByRole('progressbar', { name: 'Uploading photo 1' }).getAttribute('value')).toBe('0.4');
  await press('Make photo 2 the cover');
  await act(async () => first.finish('a'));
  const second = await nextUpload(2);
  expect(screen.queryByRole('progressbar', { name: 'Uploading photo 2' })).toBeNull();
  await act(async () => second.finish('b'));
  expect(screen.getByRole('status').textContent).toBe('/media/b/full.jpg,/media/a/full.jpg');
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('an upload that fails says why and can be tried again; the others go on', async () => {
  for (const name of ['a.jpg', 'b.jpg']) choose(name, 'shrinks');
  const lost = await nextUpload(1);
  await act(async () => lost.lose());
  const refused = await nextUpload(2);
  await act(async () => refused.answer(429, { message: 'Too many photos', code: 'rate_limited', requestId: 'r' }));
  const failures = () => [...screen.getByRole('list', { name: 'Failed uploads' }).children].map((li) => li.textContent);
  expect(failures()).toEqual([
    'Photo 1: It could not be uploaded. Check your connection and try again.',
    'Photo 2: Too many photos',
  ]);
  await press('Try again to upload photo 1');
  const again = await nextUpload(3);
  await act(async () => again.finish('a'));
  expect(failures()).toEqual(['Photo 2: Too many photos']);
  await press('Remove photo 2');
  expect(screen.queryByRole('list', { name: 'Failed uploads' })).toBeNull();
});

test('removing a photo cancels its upload, and so does leaving the form', async () => {
  for (const name of ['a.jpg', 'b.jpg']) choose(name, 'shrinks');
  const first = await nextUpload(1);
  await press('Remove photo 1');
  expect(first.isAborted).toBe(true);
  const second = await nextUpload(2);
  cleanup();
  expect(second.isAborted).toBe(true);
});

const slot = (name: string) => screen.findByRole('listitem', { name });
const press = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  button.focus();
  fireEvent.click(button);
};

test('the focus goes to the neighbour of a photo that is removed, and in the end to where others are chosen', async () => {
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) choose(name, 'shrinks');
  await slot('c.jpg, photo 3 of 3');
  await press('Remove photo 2');
  expect(document.activeElement).toBe(await slot('c.jpg, photo 2 of 2'));
  await press('Remove photo 2');
  expect(document.activeElement).toBe(await slot('a.jpg, photo 1 of 1'));
  await press('Remove photo 1');
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Browse photos' }));
});

test('where a single photo is allowed, and takes the place of choosing one, its removal keeps the focus in the field', async () => {
  cleanup();
  renderAt({ routes: [{ path: '/', element: <Form /> }], boot: { env: { ...DEFAULT_SITE_CONFIG, maxImages: 1 } } });
  choose('a.jpg', 'shrinks');
  await slot('a.jpg, photo 1 of 1');
  await press('Remove photo 1');
  await waitFor(() => expect(screen.queryByRole('listitem')).toBeNull());
  expect(document.activeElement).toBe(screen.getByLabelText('Photos').parentElement);
});

test('the focus stays with a photo that is moved to an end or made the cover', async () => {
  for (const name of ['a.jpg', 'b.jpg']) choose(name, 'shrinks');
  await slot('b.jpg, photo 2 of 2');
  await press('Make photo 2 the cover');
  expect(document.activeElement).toBe(await slot('b.jpg, photo 1 of 2'));
  await press('Move photo 1 back');
  const back = screen.getByRole('button', { name: 'Move photo 2 back' });
  expect(document.activeElement).toBe(back);
  expect(back.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(back);
  expect(await slot('b.jpg, photo 2 of 2')).toBeDefined();
});

test('of the same photo twice, only the removed one goes', async () => {
  cleanup();
  renderAt({ routes: [{ path: '/', element: <Form saved={['/media/a/full.jpg', '/media/a/full.jpg']} /> }] });
  await slot('Photo 1, photo 1 of 2');
  await press('Remove photo 1');
  expect(await slot('Photo 2, photo 1 of 1')).toBeDefined();
});

test('files without a type are tried, and each that fails is listed with what helps', async () => {
  FakeWorker.fate = 'cannot read';
  const heic = new File(['\0\0\0\u0018ftypheic'], 'IMG_1.HEIC');
  const files = [heic, new File([], 'empty.jpg_large'), new File(['x'], 'x.pdf', { type: 'application/pdf' })];
  fireEvent.change(screen.getByLabelText('Photos'), { target: { files } });
  const help = 'IMG_1.HEIC is a HEIC photo, which this browser cannot read. Save it as JPEG and try again.';
  await waitFor(() =>
    expect([...screen.getByRole('list', { name: 'Refused files' }).children].map((item) => item.textContent)).toEqual([
      'x.pdf: Please select only image files.',
      help,
      'empty.jpg_large is empty. Please choose another file.',
    ]),
  );
});

import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_SITE_CONFIG } from '../../lib/site-config.tsx';
import { fakeUploads } from '../../test/fake-uploads.ts';
import { renderAt } from '../../test/render-at.tsx';
import { type AdValues, EMPTY_AD } from '../ads/form/ad-values.ts';
import { CREATE_RULES } from '../ads/form/photo-rules.ts';
import { useAdPhotos } from '../ads/form/use-ad-photos.ts';
import { PhotoField } from './photo-field.tsx';

type Fate = 'shrinks' | 'cannot read' | 'is lost';
const PIXEL = new Blob(['x'], { type: 'image/jpeg' });

class FakeWorker {
  static fate: Fate = 'shrinks';
  static turns: number[] = [];
  onmessage?: (event: { data: unknown }) => void;
  onerror?: () => void;
  private isOver = false;
  terminate() {
    this.isOver = true;
  }
  postMessage({ id, turns }: { id: string; turns: number }) {
    if (this.isOver) return;
    if (turns > 0) FakeWorker.turns.push(turns);
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
      <PhotoField photos={photos} />
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
  await change(2, 'Make it the cover');
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
const change = async (photo: number, action: string) => {
  await press(`Change photo ${photo}`);
  fireEvent.click(await screen.findByRole('menuitem', { name: action }));
};
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

test('the focus stays with a photo that is moved by its menu or by arrow keys', async () => {
  for (const name of ['a.jpg', 'b.jpg']) choose(name, 'shrinks');
  await slot('b.jpg, photo 2 of 2');
  await change(2, 'Make it the cover');
  const moved = await slot('b.jpg, photo 1 of 2');
  await waitFor(() => expect(moved.contains(document.activeElement)).toBe(true));
  moved.focus();
  fireEvent.keyDown(moved, { key: 'ArrowLeft' });
  expect(await slot('b.jpg, photo 1 of 2')).toBe(moved);
  fireEvent.keyDown(moved, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(await slot('b.jpg, photo 2 of 2'));
});

test('a photo is rotated by quarters and uploaded anew, also one that the ad already has', async () => {
  cleanup();
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(PIXEL)),
  );
  renderAt({ routes: [{ path: '/', element: <Form saved={['/media/a/full.jpg']} /> }] });
  FakeWorker.fate = 'shrinks';
  await change(1, 'Rotate');
  const first = await nextUpload(1);
  expect(screen.getByRole('status').textContent).toBe('');
  await change(1, 'Rotate');
  await waitFor(() => expect(first.isAborted).toBe(true));
  const second = await nextUpload(2);
  await act(async () => second.finish('b'));
  expect(FakeWorker.turns).toEqual([1, 2]);
  expect(screen.getByRole('status').textContent).toBe('/media/b/full.jpg');
  expect(vi.mocked(fetch)).toHaveBeenCalledTimes(1);
});

test('a photo that cannot be fetched to rotate it stays as it is', async () => {
  cleanup();
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('', { status: 503 })),
  );
  renderAt({ routes: [{ path: '/', element: <Form saved={['/media/a/full.jpg']} /> }] });
  await change(1, 'Rotate');
  expect(await screen.findByText('The photo could not be rotated. Please try again.')).toBeDefined();
  expect(document.querySelector('output')?.textContent).toBe('/media/a/full.jpg');
});

test('a photo of a phone is taken however large it is; a large file that is no photo is told its limit', async () => {
  const large = (name: string, content = 'x') => {
    const file = new File([content], name, { type: 'image/jpeg' });
    Object.defineProperty(file, 'size', { value: 12 * 1024 * 1024 });
    return file;
  };
  const add = (fate: Fate, file: File) => {
    FakeWorker.fate = fate;
    fireEvent.change(screen.getByLabelText('Photos'), { target: { files: [file] } });
  };
  const refusals = () => [...screen.getByRole('list', { name: 'Refused files' }).children].map((li) => li.textContent);
  add('shrinks', large('phone.jpg'));
  await slot('phone.jpg, photo 1 of 1');
  add('cannot read', large('scan.jpg'));
  await waitFor(() => expect(refusals()).toEqual(['scan.jpg: Images must be less than 5MB each.']));
  add('cannot read', large('IMG_1.HEIC', '\0\0\0\u0018ftypheic'));
  await waitFor(() =>
    expect(refusals()).toEqual([
      expect.stringMatching(/^IMG_1\.HEIC is a HEIC photo, which this browser cannot read\./),
    ]),
  );
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

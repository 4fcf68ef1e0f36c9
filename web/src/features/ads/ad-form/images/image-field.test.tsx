import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderAt } from '../../../../test/render-at.tsx';
import { CREATE_RULES } from './admit-files.ts';
import { ImageField } from './image-field.tsx';
import { useImages } from './use-images.ts';

type Fate = 'shrinks' | 'cannot read' | 'is lost';
const PIXEL = 'data:image/jpeg;base64,AA==';

/** Stands in for the worker, and for what may become of it. */
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
    else this.onmessage?.({ data: fate === 'shrinks' ? { id, dataUrl: PIXEL } : { id, error: 'InvalidStateError' } });
  }
}

const Form = () => {
  const images = useImages([], CREATE_RULES);
  return (
    <>
      <ImageField images={images} maxBytesLabel="5MB" />
      <button type="button" disabled={images.isWorking}>
        Post Ad
      </button>
    </>
  );
};

const choose = (name: string, fate: Fate) => {
  FakeWorker.fate = fate;
  const files = [new File(['x'], name, { type: 'image/jpeg' })];
  fireEvent.change(screen.getByLabelText('Photos'), { target: { files } });
};
const post = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Post Ad' });

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker);
  renderAt({ routes: [{ path: '/', element: <Form /> }] });
});

test('a picture that cannot be read leaves no empty place behind, least of all as the cover', async () => {
  choose('broken.jpg', 'cannot read');
  expect(await screen.findByText(/^broken\.jpg could not be read\./)).toBeDefined();
  expect(screen.queryByRole('listitem', { name: /broken\.jpg/ })).toBeNull();
  choose('good.jpg', 'shrinks');
  expect(await screen.findByRole('listitem', { name: 'good.jpg, photo 1 of 1' })).toBeDefined();
});

test('a worker that is lost, say without a network, is told of as that, and the next picture gets another', async () => {
  choose('first.jpg', 'is lost');
  expect(await screen.findByText('first.jpg could not be prepared. Please choose it again.')).toBeDefined();
  choose('first.jpg', 'shrinks');
  expect(await screen.findByRole('listitem', { name: 'first.jpg, photo 1 of 1' })).toBeDefined();
  await waitFor(() => expect(post().disabled).toBe(false));
});

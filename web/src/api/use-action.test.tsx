import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderAt } from '../test/render-at.tsx';
import { useAction } from './use-action.ts';

/** Buttons without a busy state that would ignore the second click. */
const Rows = ({ work }: { work: (id: string) => Promise<void> }) => {
  const { run, isBusyWith } = useAction();
  return ['1', '2'].map((id) => (
    <button key={id} type="button" onClick={() => void run(() => work(id), 'failed', undefined, id)}>
      {id} {isBusyWith(id) ? 'busy' : 'idle'}
    </button>
  ));
};

test('a second click while an action runs does nothing, but one on another row runs', async () => {
  const finish = new Map<string, () => void>();
  const work = vi.fn<(id: string) => Promise<void>>((id) => new Promise((resolve) => finish.set(id, resolve)));
  renderAt({ routes: [{ path: '/', element: <Rows work={work} /> }] });
  fireEvent.click(screen.getByText('1 idle'));
  fireEvent.click(screen.getByText('1 busy'));
  fireEvent.click(screen.getByText('2 idle'));
  expect(work.mock.calls).toEqual([['1'], ['2']]);
  await act(async () => finish.get('1')?.());
  expect(screen.getByText('1 idle')).toBeDefined();
  expect(screen.getByText('2 busy')).toBeDefined();
  fireEvent.click(screen.getByText('1 idle'));
  expect(work).toHaveBeenCalledTimes(3);
});

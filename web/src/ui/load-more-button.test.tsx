import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Announcer } from '../lib/announcer.tsx';
import { renderAt } from '../test/render-at.tsx';
import { LoadMoreButton } from './load-more-button.tsx';

const List = () => {
  const [hasMore, setMore] = useState(true);
  const loadMore = async () => {
    setMore(false);
    return 3;
  };
  return (
    <>
      <LoadMoreButton list={{ hasMore, isLoadingMore: false, loadMore }} />
      <Announcer />
    </>
  );
};

test('says how many came, and keeps the focus at the list’s end when there are no more', async () => {
  renderAt({ routes: [{ path: '/', element: <List /> }] });
  const button = screen.getByRole('button', { name: 'Load more' });
  const end = button.parentElement;
  button.focus();
  fireEvent.click(button);
  await waitFor(() => expect(document.getElementById('announcer')?.textContent).toBe('3 more loaded'));
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(document.activeElement).toBe(end);
});

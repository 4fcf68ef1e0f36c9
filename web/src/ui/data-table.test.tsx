import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DataTable } from './data-table.tsx';

const list = {
  isLoading: false,
  isLoadingMore: false,
  hasMore: false,
  loadMore: async () => 0,
  mutate: async () => {},
};

test.each([
  ['loads', undefined, 'true'],
  ['has failed', new Error(), null],
])('a table that %s: an alert inside is heard only while it is not busy', (_, error, busy) => {
  render(
    <DataTable
      caption="Ads"
      columns={[]}
      list={{ ...list, data: undefined, isLoading: !error, error }}
      skeletonRows={1}
      failureTitle="Failed to load"
      empty={null}
    />,
  );
  expect(screen.getByRole('group', { name: 'Ads' }).getAttribute('aria-busy')).toBe(busy);
});

test('each part has its role explicitly: on phones the parts are not displayed as a table', () => {
  const { container } = render(
    <DataTable
      caption="Ads"
      columns={[{ title: 'Price', cell: ({ id }: { id: string }) => id, labelled: true }]}
      list={{ ...list, data: [{ id: '$5' }] }}
      skeletonRows={1}
      failureTitle="Failed to load"
      empty={null}
    />,
  );
  const roles = [...container.querySelectorAll('table, thead, tbody, tr, th, td')].map((part) =>
    part.getAttribute('role'),
  );
  expect(roles).toEqual(['table', 'rowgroup', 'row', 'columnheader', 'rowgroup', 'row', 'cell']);
});

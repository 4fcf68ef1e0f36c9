import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DataTable } from './data-table.tsx';

const failure = { title: 'Failed to load', onRetry: () => {} };

test.each([
  ['loads', undefined, 'true'],
  ['has failed', failure, null],
])('a table that %s: an alert inside is heard only while it is not busy', (_, problem, busy) => {
  render(
    <DataTable
      caption="Ads"
      columns={[]}
      rows={undefined}
      isLoading={!problem}
      rowKey={String}
      skeletonRows={1}
      failure={problem}
      empty={null}
    />,
  );
  expect(screen.getByRole('group', { name: 'Ads' }).getAttribute('aria-busy')).toBe(busy);
});

test('each part has its role explicitly: on phones the parts are not displayed as a table', () => {
  const { container } = render(
    <DataTable
      caption="Ads"
      columns={[{ title: 'Price', cell: (row: string) => row, labelled: true }]}
      rows={['$5']}
      isLoading={false}
      rowKey={String}
      skeletonRows={1}
      empty={null}
    />,
  );
  const roles = [...container.querySelectorAll('table, thead, tbody, tr, th, td')].map((part) =>
    part.getAttribute('role'),
  );
  expect(roles).toEqual(['table', 'rowgroup', 'row', 'columnheader', 'rowgroup', 'row', 'cell']);
});

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

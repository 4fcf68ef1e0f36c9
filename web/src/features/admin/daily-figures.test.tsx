import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { type Analytics, FIGURES, type FigureName } from '../../../../contract/analytics.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { renderAt } from '../../test/render-at.tsx';
import { DailyFigures } from './daily-figures.tsx';

const DAYS = ['2026-11-21', '2026-11-22', '2026-11-23'];

const analytics = (values: Partial<Record<FigureName, number[]>> = {}, more: Partial<Analytics> = {}): Analytics => ({
  timeZone: 'Europe/Berlin',
  countedAt: '2026-11-23T10:00:00Z',
  figures: Object.fromEntries(
    FIGURES.map((name) => {
      const numbers = values[name] ?? [0, 0, 0];
      const days = DAYS.map((day, index) => ({ day, value: numbers[index] ?? 0 }));
      return [name, { days, total: numbers.reduce((sum, value) => sum + value, 0), previousTotal: 0 }];
    }),
  ) as Analytics['figures'],
  ...more,
});

const show = (json: Analytics, year: Analytics = json) => {
  const api = fakeApi({
    'GET /api/admin/analytics?days=30': { json },
    'GET /api/admin/analytics?days=365': { json: year },
  });
  renderAt({ routes: [{ path: '/', element: <DailyFigures /> }] });
  return api;
};

test('before the first count there is an explanation, and no file to download', async () => {
  show(analytics({}, { countedAt: null }));
  expect(await screen.findByText('No figures yet')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Download CSV' })).toBeNull();
});

test('a figure that never happened has no chart, the others have a table with the newest day first', async () => {
  show(analytics({ sold: [1, 0, 2], revenue: [10.5, 0, 20] }));
  expect(await screen.findAllByText('None in the last 3 days')).toHaveLength(5);
  expect(screen.getByText('· $30.50').parentElement?.textContent).toBe('3 · $30.50');
  fireEvent.click(screen.getByRole('button', { name: 'Show as table: Sales' }));
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Day', 'Sales', 'Sum of sales'],
    ['Nov 23, 2026', '2', '$20'],
    ['Nov 22, 2026', '0', '$0'],
    ['Nov 21, 2026', '1', '$10.50'],
  ]);
});

test.each([
  [null, 'No earlier figures to compare with'],
  [0, 'No earlier figures to compare with'],
  [8, '-25% · 8 in the 3 days before'],
  [4, '+50% · 4 in the 3 days before'],
])('a total is compared with the one before: %s', async (previousTotal, text) => {
  const given = analytics({ ads: [1, 2, 3] });
  given.figures.ads.previousTotal = previousTotal;
  show(given);
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
});

test('the period can be changed, and the file has the days and figures on the screen', async () => {
  const { asked } = show(analytics(), analytics({ signups: [4, 5, 6], revenue: [0, 1.25, 0] }));
  fireEvent.click(await screen.findByRole('button', { name: '365 days' }));
  expect(await screen.findByText('15')).toBeDefined();
  expect(asked).toEqual(['GET /api/admin/analytics?days=30', 'GET /api/admin/analytics?days=365']);
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return 'blob:file';
  });
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  vi.restoreAllMocks();
  expect(names).toEqual(['figures-2026-11-23-3-days.csv']);
  expect(await blobs[0]?.text()).toBe(
    [
      '\uFEFFDay,New people,New ads,Messages,Visits,Sales,Sum of sales,Reports',
      '2026-11-21,4,0,0,0,0,0,0',
      '2026-11-22,5,0,0,0,0,1.25,0',
      '2026-11-23,6,0,0,0,0,0,0',
      '',
    ].join('\r\n'),
  );
});

test('figures that cannot be loaded can be loaded again', async () => {
  const { answers } = fakeApi({});
  answers['GET /api/admin/analytics?days=30'] = {
    status: 500,
    json: { message: 'No', code: 'internal', requestId: 'r' },
  };
  renderAt({ routes: [{ path: '/', element: <DailyFigures /> }] });
  expect(await screen.findByText('Failed to load the figures')).toBeDefined();
  answers['GET /api/admin/analytics?days=30'] = { json: analytics({ ads: [1, 1, 1] }) };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findAllByRole('button', { name: 'Show as table: New ads' })).not.toHaveLength(0);
});

import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addLeaf } from '../declare.ts';
import { withApp } from '../with-app.ts';
import { addExport } from './stats-export.ts';

const FIELDS = [
  'totalUsers',
  'todaySignups',
  'totalAds',
  'todayAds',
  'activeAds',
  'pendingAds',
  'revenue',
  'dailyActiveUsers',
  'avgSessionDuration',
  'bounceRate',
  'conversionRate',
  'topCategories',
];

const addShow = (noun: Command, cli: Cli): void => {
  addLeaf(noun, 'show', {
    summary: 'Prints the numbers of the administration: users, ads, visits, this month',
    examples: [
      ['stats show', 'how the marketplace is doing'],
      ['stats show -o json --fields pendingAds', 'one number for a script'],
    ],
  }).action(() =>
    withApp(cli, async ({ app }) => {
      const { readAdminStats } = await import('../../server/features/admin/stats-store.ts');
      const stats = await readAdminStats(app.reads, app.config.timeZone);
      const topCategories = stats.topCategories.map(({ category, count }) => `${category} ${count}`).join(', ');
      await cli.out.record({ fields: FIELDS }, { ...stats, ...(cli.isTable() && { topCategories }) });
    }),
  );
};

export function register(noun: Command, cli: Cli): void {
  addShow(noun, cli);
  addExport(noun, cli);
}

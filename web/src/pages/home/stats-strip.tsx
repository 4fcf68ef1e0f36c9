import { getSiteStats } from '../../../../contract/stats.ts';
import { useCall } from '../../api/use-call.ts';
import { formatCount } from '../../lib/format-count.ts';

/** Three figures of the whole site. */
export const StatsStrip = () => {
  const { data } = useCall(getSiteStats, {});
  const figures = [
    { label: 'Active Ads', value: data?.activeAds },
    { label: 'Happy Users', value: data?.users },
    { label: 'Categories', value: data?.categories },
  ];
  return (
    <dl className="grid grid-cols-3 gap-4 sm:flex sm:gap-10">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-xs text-muted-foreground sm:text-sm">{label}</dt>
          <dd className="text-xl font-semibold tabular-nums sm:text-2xl">
            {value === undefined ? '–' : formatCount(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
};

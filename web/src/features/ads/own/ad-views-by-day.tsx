import { useId, useState } from 'react';
import type { Ad } from '../../../../../contract/ads.ts';
import { getViewsByDay, type Period } from '../../../../../contract/analytics.ts';
import { t } from '../../../../../contract/i18n.ts';
import { useApiQuery } from '../../../api/query.ts';
import { formatCount } from '../../../lib/format.ts';
import { Skeleton } from '../../../ui/feedback.tsx';
import { Field, NativeSelect } from '../../../ui/form-controls.tsx';
import { LoadMoreButton, type MoreList } from '../../../ui/load-more-button.tsx';
import { Query } from '../../../ui/query.tsx';
import { FigureChart, PeriodSwitch } from '../../analytics/figure-chart.tsx';

interface AdViewsByDayProps {
  /** The first one is selected at first. */
  ads: readonly Ad[];
  /** Loads further ads of the seller. */
  list: MoreList;
}

/** The views of one of the own ads, which the seller selects, on each day. */
export const AdViewsByDay = ({ ads, list }: AdViewsByDayProps) => {
  const [period, setPeriod] = useState<Period>('30');
  const [selected, setSelected] = useState<string>();
  const headingId = useId();
  const ad = ads.find(({ id }) => id === selected) ?? ads[0];
  return (
    <section aria-labelledby={headingId} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id={headingId} className="font-semibold">
          {t('analytics.viewsADay')}
        </h3>
        {ad ? <PeriodSwitch period={period} onChange={setPeriod} /> : null}
      </div>
      {ad ? (
        <>
          <Field label={t('analytics.ad')}>
            <NativeSelect
              translate="no"
              value={ad.id}
              options={ads.map(({ id, title }) => [id, title])}
              onChange={(event) => setSelected(event.target.value)}
            />
          </Field>
          <LoadMoreButton list={list} />
          <AdViews key={ad.id} ad={ad} period={period} />
        </>
      ) : (
        <p className="text-muted-foreground">{t('analytics.noAds')}</p>
      )}
    </section>
  );
};

const AdViews = ({ ad, period }: { ad: Ad; period: Period }) => {
  const target = { params: { id: ad.id }, query: { days: period } };
  const query = useApiQuery(getViewsByDay, target, { keepPreviousData: true });
  return (
    <Query of={query} failure={t('analytics.viewsFailed')} loading={<Skeleton className="h-64" />}>
      {({ days, total, wrote }) => (
        <FigureChart
          title={t('analytics.views')}
          heading="h4"
          columns={[{ title: t('analytics.views'), days }]}
          total={formatCount(total)}
          note={
            <>
              {t('analytics.viewsNote', { views: formatCount(ad.views) })}{' '}
              {wrote === 0 ? t('analytics.nobodyWrote') : t('analytics.wrote', { count: wrote })}
            </>
          }
          empty={t('analytics.noViews', { count: days.length })}
        />
      )}
    </Query>
  );
};

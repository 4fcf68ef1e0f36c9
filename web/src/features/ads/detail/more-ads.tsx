import { useId } from 'react';
import { Link } from 'react-router-dom';
import type { Ad } from '../../../../../contract/ads.ts';
import { t } from '../../../../../contract/i18n.ts';
import { listMoreFromSeller, listSimilarAds } from '../../../../../contract/similar.ts';
import { useApiQuery } from '../../../api/query.ts';
import { Query, type QueryState } from '../../../ui/query.tsx';
import { AdGrid, AdGridSkeleton } from '../ad-list.tsx';

/** Where to go on from an ad. A list that is empty or cannot be loaded is left out. */
export const MoreAds = ({ ad }: { ad: Ad }) => (
  <div className="grid gap-10 pt-10 print:hidden">
    <SimilarAds ad={ad} />
    <MoreFromSeller ad={ad} />
  </div>
);

export const SimilarAds = ({ ad }: { ad: Ad }) => (
  <AdSection title={t('ad.similar')} query={useApiQuery(listSimilarAds, { params: { id: ad.id } })} skeletons={8} />
);

export const MoreFromSeller = ({ ad }: { ad: Ad }) => (
  <AdSection
    title={t('ad.moreFromSeller')}
    query={useApiQuery(listMoreFromSeller, { params: { id: ad.id } })}
    skeletons={4}
    allPath={ad.user.username ? `/users/${ad.user.username}` : undefined}
  />
);

interface AdSectionProps {
  title: string;
  query: QueryState<Ad[]>;
  skeletons: number;
  allPath?: string | undefined;
}

const AdSection = ({ query, ...section }: AdSectionProps) => (
  <Query of={query} failure={<></>} loading={<AdsUnderTitle {...section} />} empty={null}>
    {(ads) => <AdsUnderTitle {...section} ads={ads} />}
  </Query>
);

const AdsUnderTitle = ({ title, ads, skeletons, allPath }: Omit<AdSectionProps, 'query'> & { ads?: Ad[] }) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="section-heading">
          {title}
        </h2>
        {ads && allPath ? (
          <Link to={allPath} className="inline-flex min-h-11 items-center text-link">
            {t('ad.seeAll')}
          </Link>
        ) : null}
      </div>
      {ads ? <AdGrid ads={ads} isBelowFold /> : <AdGridSkeleton count={skeletons} />}
    </section>
  );
};

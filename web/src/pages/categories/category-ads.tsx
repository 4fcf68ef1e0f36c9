import { ArrowLeft, SearchX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { listAds } from '../../../../contract/ads.ts';
import { usePagedCall } from '../../api/use-paged-call.ts';
import { AdList } from '../../features/ads/ad-list.tsx';
import { formatTotal } from '../../features/ads/format-total.ts';
import { useCategories } from '../../features/ads/use-categories.ts';
import { usePostAd } from '../../features/session/use-post-ad.ts';
import { PageTitle } from '../../features/site/page-title.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';

export const CategoryAds = ({ category }: { category: string }) => {
  const wanted = category.toLowerCase();
  const known = useCategories().find(({ name, slug }) => name.toLowerCase() === wanted || slug === wanted);
  const name = known?.name ?? category;
  const pages = usePagedCall(listAds, { query: { category: name } });
  const postAd = usePostAd();
  const total = pages.total ?? pages.items?.length ?? 0;
  return (
    <>
      <PageTitle title={`${name} ads`} />
      <Button asChild variant="ghost" className="-ml-3">
        <Link to="/categories">
          <ArrowLeft aria-hidden="true" />
          Back to Categories
        </Link>
      </Button>
      <header className="mt-3 mb-6 flex flex-wrap items-center gap-3">
        <h1 className="text-3xl font-semibold tracking-tight break-words md:text-4xl">
          {known ? <span aria-hidden="true">{known.emoji} </span> : null}
          {name}
        </h1>
        <span role="status">
          {pages.error ? <Badge variant="destructive">Error loading ads</Badge> : null}
          {pages.items && !pages.error ? (
            <Badge variant="accent">
              {formatTotal(total, pages.totalExact)} {total === 1 ? 'ad' : 'ads'} found
            </Badge>
          ) : null}
        </span>
      </header>
      <h2 className="sr-only">Ads in {name}</h2>
      <AdList
        pages={pages}
        skeletons={8}
        empty={
          <Empty icon={SearchX} title={`No ads found in ${name}`} text="Be the first to offer something here.">
            <Button onClick={postAd}>Post Your Ad</Button>
          </Empty>
        }
      />
    </>
  );
};

import type { ReplyOf } from '../../../contract/endpoint.ts';
import { t } from '../../../contract/i18n.ts';
import { getCategoryStats, getSiteStats } from '../../../contract/stats.ts';
import { useApiQuery } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { ListPage } from '../features/list/list-page.tsx';
import { useSiteConfig } from '../lib/site-config.tsx';
import { Query } from '../ui/query.tsx';

export const HomePage = () => {
  const { user } = useSession();
  return <ListPage>{user ? null : <Headline />}</ListPage>;
};

/** For visitors. On a phone it stands below search and categories, which then come first. */
const Headline = () => {
  const { headline, tagline } = useSiteConfig();
  return (
    <div className="text-sm/4.5 text-muted-foreground md:order-first md:flex md:flex-wrap md:items-baseline md:gap-x-6 md:gap-y-1 md:text-base">
      <h1 className="text-lg/6 font-semibold text-foreground md:w-full md:text-3xl md:tracking-tight">{headline}</h1>
      <p className="inline">{tagline}</p> <Figures />
    </div>
  );
};

const FROM = 100;

type SiteStats = ReplyOf<typeof getSiteStats>;

/** Small numbers do not sell: below a hundred ads it says where they are, and below a hundred people nothing of them. */
const Figures = () => {
  const query = useApiQuery(getSiteStats, {});
  const { data: counts = {} } = useApiQuery(getCategoryStats, { query: { by: 'slug' } });
  const used = Object.values(counts).filter((count) => count > 0).length;
  const toText = ({ activeAds, users, categories }: SiteStats) => {
    if (activeAds < FROM)
      return used > 0
        ? t('list.adsInCategories', { ads: t('list.countAds', { count: activeAds }), count: used })
        : null;
    return [
      t('list.activeAds', { count: activeAds }),
      users < FROM ? null : t('list.happyUsers', { count: users }),
      t('list.countCategories', { count: categories }),
    ]
      .filter(Boolean)
      .join(' · ');
  };
  return (
    <Query of={query} failure={t('list.figuresFailed')} size="line" loading={null}>
      {(stats) => <p className="inline font-medium text-foreground tabular-nums">{toText(stats)}</p>}
    </Query>
  );
};

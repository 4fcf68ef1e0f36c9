import { Search } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
import { toList } from '../../../contract/pages.ts';
import { listSavedSearches, markSavedSearchSeen, type SavedSearch } from '../../../contract/saved-searches.ts';
import { useApiMutation, useApiQuery } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { LinkButton } from '../ui/button.tsx';
import { EmptyPage, PageSkeleton } from '../ui/feedback.tsx';
import { Query } from '../ui/query.tsx';

/** Where notifications about several ads lead: to the list with the filters of the search, which counts as seen then. */
export const SavedSearchPage = () => {
  const { user } = useSession();
  if (user === undefined) return <PageSkeleton />;
  if (user === null) return <RequireSignIn title={t('searches.signIn')} />;
  return <OpenSavedSearch />;
};

const OpenSavedSearch = () => {
  const { id } = useParams();
  const query = useApiQuery(listSavedSearches, {});
  return (
    <Query of={query} failure={t('searches.loadFailed')} loading={<PageSkeleton />}>
      {(searches) => {
        const search = searches.find((one) => one.id === id);
        return search ? <GoToList search={search} /> : <SearchNotFound />;
      }}
    </Query>
  );
};

const SearchNotFound = () => (
  <EmptyPage icon={Search} title={t('searches.notFound')} text={t('searches.notFoundText')}>
    <LinkButton to="/dashboard#saved-searches">{t('searches.view')}</LinkButton>
  </EmptyPage>
);

const GoToList = ({ search: { id, filters } }: { search: SavedSearch }) => {
  const navigate = useNavigate();
  const markSeen = useApiMutation(markSavedSearchSeen);
  useEffect(() => {
    // the list is useful even if the count stays
    markSeen({ params: { id } }).catch((error: unknown) => console.error('The search was not marked as seen', error));
    void navigate(toList(filters), { replace: true });
  }, [id, filters, markSeen, navigate]);
  return <PageSkeleton />;
};

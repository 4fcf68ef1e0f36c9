import { usePageTitle } from '../../lib/use-page-title.ts';
import { useSiteEnv } from './site-env.ts';

/** Titles the document; renders nothing. */
export const PageTitle = ({ title }: { title: string | undefined }) => {
  usePageTitle(title, useSiteEnv().siteName);
  return null;
};

import { Link } from 'react-router-dom';
import { useSiteEnv } from '../../features/site/site-env.ts';
import { Badge } from '../../ui/badge.tsx';
import { Logo } from '../../ui/logo.tsx';

/** Mark, name and BETA: the way home. */
export const Brand = () => {
  const { siteName } = useSiteEnv();
  return (
    <Link to="/" className="flex min-h-11 items-center gap-2 rounded-control">
      <Logo />
      <span className="text-lg font-semibold tracking-tight max-xs:sr-only">{siteName}</span>
      <Badge variant="accent" className="max-xs:hidden">
        BETA
      </Badge>
    </Link>
  );
};

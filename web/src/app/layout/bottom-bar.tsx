import { CircleUserRound, Heart, House, type LucideIcon, MessageCircle, Plus } from 'lucide-react';
import { Link, type Location, useLocation } from 'react-router-dom';
import { type TextKey, t } from '../../../../contract/i18n.ts';
import { useSession } from '../../api/session.ts';
import { useOpenSignIn } from '../../features/auth/sign-in.tsx';
import { UnreadMarks, useUnread, withUnread } from '../../features/unread/unread.tsx';

interface Place {
  to: string;
  label: TextKey;
  icon: LucideIcon;
}

const HOME: Place = { to: '/', label: 'shell.home', icon: House };
const SAVED: Place = { to: '/dashboard?tab=saved', label: 'shell.saved', icon: Heart };
const SELL: Place = { to: '/create-ad', label: 'shell.sell', icon: Plus };
const INBOX: Place = { to: '/messages', label: 'shell.inbox', icon: MessageCircle };
const ME: Place = { to: '/dashboard', label: 'shell.me', icon: CircleUserRound };
const PLACES = [HOME, SAVED, SELL, INBOX, ME];

const toCurrent = ({ pathname, search }: Location): Place | undefined => {
  if (pathname === ME.to) return new URLSearchParams(search).get('tab') === 'saved' ? SAVED : ME;
  if (pathname === '/notifications') return INBOX;
  return PLACES.find(({ to }) => to === pathname);
};

/**
 * The five places of the site at the bottom of a phone. Styles hide it from wider screens, while a keyboard is open, and
 * where the page has a bar of its own there.
 */
export const BottomBar = () => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const current = toCurrent(useLocation());
  const unread = useUnread();
  return (
    <nav aria-label={t('shell.mainNavigation')} data-slot="tab-bar" className="tab-bar">
      {PLACES.map((place) => {
        const { to, icon: Icon } = place;
        const label = t(place.label);
        const content = (
          <>
            <span className="relative">
              <Icon className="size-6" />
              {place === INBOX ? <UnreadMarks unread={unread} /> : null}
            </span>
            {place === INBOX ? (
              <>
                <span aria-hidden="true">{label}</span>
                <span className="sr-only">{withUnread(label, unread)}</span>
              </>
            ) : (
              label
            )}
          </>
        );
        if (user === null && place !== HOME)
          return (
            <button
              key={to}
              type="button"
              aria-haspopup="dialog"
              onClick={() => openSignIn(to)}
              className="tab-bar-item"
            >
              {content}
            </button>
          );
        return (
          <Link key={to} to={to} aria-current={place === current ? 'page' : undefined} className="tab-bar-item">
            {content}
          </Link>
        );
      })}
    </nav>
  );
};

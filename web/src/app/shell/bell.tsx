import { Bell as BellIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/button.tsx';
import { badgeCount } from './navigation.ts';

/** The way to the messages, with the number of unread ones. */
export const Bell = ({ unread }: { unread: number }) => (
  <Button asChild variant="ghost" size="icon" className="relative">
    <Link to="/messages" aria-label={unread > 0 ? `Messages, ${unread} unread` : 'Messages'}>
      <BellIcon aria-hidden="true" className="size-5" />
      {unread > 0 ? (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0.5 min-w-5 rounded-full bg-destructive px-1 text-center text-xs leading-5 font-semibold text-destructive-foreground tabular-nums"
        >
          {badgeCount(unread)}
        </span>
      ) : null}
    </Link>
  </Button>
);

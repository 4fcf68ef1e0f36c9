import { clsx as cn } from 'clsx';
import { Link } from 'react-router-dom';
import type { User } from '../../../contract/user.ts';
import { nameOf } from '../lib/names.ts';

interface PersonLinkProps {
  person: Pick<User, 'username' | 'displayName' | 'isDeleted'>;
  className?: string;
  onClick?: () => void;
}

/** The name of a person, which leads to their profile if they have one. */
export const PersonLink = ({ person, className, onClick }: PersonLinkProps) =>
  person.username ? (
    <Link to={`/users/${person.username}`} className={cn('hover:underline', className)} onClick={onClick}>
      <bdi>{person.displayName}</bdi>
    </Link>
  ) : (
    <bdi className={className}>{nameOf(person)}</bdi>
  );

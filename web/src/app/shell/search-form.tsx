import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { Input } from '../../ui/input.tsx';

/** Searches all ads, within the category that the home page is filtered by. */
export const SearchForm = ({ className, autoFocus }: { className?: string; autoFocus?: boolean }) => {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const field = useRef<HTMLInputElement>(null);
  const current = pathname === '/' ? (params.get('search') ?? '') : '';

  useEffect(() => {
    if (field.current) field.current.value = current;
  }, [current]);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const search = field.current?.value.trim() ?? '';
    const next = new URLSearchParams(pathname === '/' || pathname === '/categories' ? params : '');
    if (search) next.set('search', search);
    else next.delete('search');
    next.sort();
    void navigate({ pathname: '/', search: next.toString() });
  };

  return (
    <search className={className}>
      <form onSubmit={handleSubmit} className="relative">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          ref={field}
          type="search"
          name="search"
          aria-label="Search ads"
          placeholder="Search ads..."
          maxLength={200}
          enterKeyHint="search"
          defaultValue={current}
          className="rounded-full bg-surface pl-10"
        />
      </form>
    </search>
  );
};

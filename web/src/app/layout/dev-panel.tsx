import { FlaskConical } from 'lucide-react';
import type { SiteConfig } from '../../../../contract/initial-state.ts';
import { signInUrl } from '../../api/session.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { Badge } from '../../ui/card.tsx';
import { NativeSelect } from '../../ui/form-controls.tsx';

const NOBODY = 'none';

/** The cookie is for what cannot send the header: an image that only this person sees. */
const choose = (id: string | null): void => {
  writeStored('localStorage', 'testUser', id);
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox lack the Cookie Store API
  document.cookie = `testUser=${id ?? ''}; Path=/api/messages/photos; SameSite=Strict${id ? '' : '; Max-Age=0'}`;
};

/** On localhost only: selects one of two sample users. Every request then carries X-Test-User. */
export const DevPanel = ({ users }: { users: SiteConfig['testUsers'] }) => {
  const chosen = readStored('localStorage', 'testUser') ?? NOBODY;
  const user = users.find(({ id }) => id === chosen);
  const handleChange = (id: string) => {
    choose(id === NOBODY ? null : id);
    location.reload();
  };
  return (
    <aside
      aria-label="Development Mode"
      data-slot="dev-panel"
      className="fixed bottom-[calc(var(--bottom-bar)+0.75rem)] start-3 z-bottom-bar max-w-80 text-sm print:hidden"
    >
      <details className="rounded-card border border-border bg-card shadow-dialog">
        <summary className="flex min-h-10 list-none items-center gap-2 rounded-card px-3 font-medium">
          <FlaskConical className="size-4 text-warning" />
          <span className="max-md:sr-only">Development Mode</span>
          <Badge variant={user ? 'warning' : 'neutral'}>
            <bdi>{user ? `@${user.username}` : 'No test user'}</bdi>
          </Badge>
        </summary>
        <div className="grid gap-2 border-t border-border p-3">
          <label htmlFor="test-user" className="font-medium">
            Test User:
          </label>
          <NativeSelect
            id="test-user"
            value={chosen}
            options={[
              [NOBODY, 'No test user'],
              ...users.map(({ id, displayName, username }) => [id, `${displayName} (@${username})`] as const),
            ]}
            onChange={(event) => handleChange(event.target.value)}
          />
          <p className="text-muted-foreground">
            Switch between test users to see different message notifications and data.
          </p>
          <a
            href={signInUrl(location.pathname + location.search)}
            className="w-fit text-link"
            onClick={() => choose(null)}
          >
            Sign in as anybody else in the X simulator
          </a>
        </div>
      </details>
    </aside>
  );
};

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type AccessToken, listAccessTokens, revokeAccessToken } from '../../../../contract/access-tokens.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { useSectionLink } from '../../hooks/use-section-link.ts';
import { formatDate, formatTimeAgo } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { NewToken } from './new-token.tsx';
import { TokenForm } from './token-form.tsx';

/** The person's access tokens, with everything that they can do about them. */
export const AccessTokens = ({ isStaff }: { isStaff: boolean }) => {
  const list = useApiQuery(listAccessTokens, {});
  const focusFallback = useFocusFallback<HTMLElement>();
  const headingRef = useSectionLink('access-tokens', list.data !== undefined);
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby="access-tokens" className="card grid gap-3">
      <h2 ref={headingRef} id="access-tokens" tabIndex={-1} className="w-fit scroll-mt-24 card-heading">
        Access tokens
      </h2>
      <p className="text-sm text-muted-foreground">
        A token lets a program of yours use the site for you, such as a script that posts your ads. You choose what it
        may do and for how long.{' '}
        <a href="/api/openapi.json" className="text-link underline">
          What programs can do (OpenAPI)
        </a>
      </p>
      <Query of={list} failure="Failed to load your tokens" size="line" loading={<SkeletonRegion boxes={['h-12']} />}>
        {(tokens) =>
          tokens.length === 0 ? null : (
            <ul className="divide-y divide-border">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Query>
      <AddButton isStaff={isStaff} />
    </section>
  );
};

const AddButton = ({ isStaff }: { isStaff: boolean }) => {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<string>();
  const handleOpenChange = () => {
    setOpen(false);
    setCreated(undefined);
  };
  return (
    <>
      <Button variant="outline" className="w-fit" onClick={() => setOpen(true)}>
        <Plus /> New token
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={handleOpenChange}
        title={created === undefined ? 'New access token' : 'Your access token'}
        description={created === undefined ? undefined : 'Copy it now: we show it only this time.'}
        className="sm:max-w-lg"
      >
        {created === undefined ? (
          <TokenForm isStaff={isStaff} onCreated={setCreated} onClose={handleOpenChange} />
        ) : (
          <NewToken token={created} onDone={handleOpenChange} />
        )}
      </Dialog>
    </>
  );
};

const toState = ({ expiresAt, lastUsedAt }: AccessToken): string => {
  if (Date.parse(expiresAt) <= Date.now()) return `Expired ${formatDate(expiresAt)}`;
  return `Works until ${formatDate(expiresAt)} · ${lastUsedAt ? `Last used ${formatTimeAgo(lastUsedAt)}` : 'Not used yet'}`;
};

const TokenRow = ({ token }: { token: AccessToken }) => {
  const { id, name, scopes, lastFour } = token;
  const toast = useToast();
  const revoke = useApiMutation(revokeAccessToken);
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const handleRevoke = async () => {
    const isDone = await run(() => revoke({ params: { id } }), 'The token could not be revoked. Please try again.');
    if (isDone) toast({ title: 'Token revoked', description: 'Programs that use it are refused from now on.' });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 grow basis-48 text-sm">
        <p dir="auto" className="font-medium wrap-anywhere">
          {name} <span className="font-mono font-normal text-muted-foreground">…{lastFour}</span>
        </p>
        <p className="wrap-anywhere">{scopes.join(', ')}</p>
        <p className="text-muted-foreground">{toState(token)}</p>
      </div>
      <Button
        variant="outline"
        size="sm"
        busy={isBusy}
        aria-label={`Revoke ${name} …${lastFour}`}
        onClick={() => setAsking(true)}
      >
        {isBusy ? <Spinner /> : null} Revoke
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={() => setAsking(false)}
        title="Revoke this token?"
        text={`Programs that use “${name}” stop working, and nothing brings the token back.`}
        confirmLabel="Revoke"
        onConfirm={() => void handleRevoke()}
      />
    </li>
  );
};

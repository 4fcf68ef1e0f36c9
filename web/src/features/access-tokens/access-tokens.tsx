import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type AccessToken, listAccessTokens, revokeAccessToken } from '../../../../contract/access-tokens.ts';
import { t } from '../../../../contract/i18n.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { useSectionLink } from '../../hooks/use-section-link.ts';
import { formatDate, formatTimeAgo } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';
import { Rich } from '../../ui/rich.tsx';
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
        {t('tokens.title')}
      </h2>
      <p className="text-sm text-muted-foreground">
        <Rich
          text={t('tokens.intro')}
          link={(words) => (
            <a href="/api/openapi.json" className="text-link underline">
              {words}
            </a>
          )}
        />
      </p>
      <Query of={list} failure={t('tokens.loadFailed')} size="line" loading={<SkeletonRegion boxes={['h-12']} />}>
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
        <Plus /> {t('tokens.new')}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={handleOpenChange}
        title={t(created === undefined ? 'tokens.newTitle' : 'tokens.yours')}
        description={created === undefined ? undefined : t('tokens.copyNow')}
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
  if (Date.parse(expiresAt) <= Date.now()) return t('tokens.expired', { date: formatDate(expiresAt) });
  const use = lastUsedAt ? t('tokens.lastUsed', { time: formatTimeAgo(lastUsedAt) }) : t('tokens.notUsed');
  return t('tokens.state', { date: formatDate(expiresAt), use });
};

const TokenRow = ({ token }: { token: AccessToken }) => {
  const { id, name, scopes, lastFour } = token;
  const toast = useToast();
  const revoke = useApiMutation(revokeAccessToken);
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const handleRevoke = async () => {
    const isDone = await run(() => revoke({ params: { id } }), t('tokens.revokeFailed'));
    if (isDone) toast({ title: t('tokens.revoked'), description: t('tokens.revokedText') });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 grow basis-48 text-sm">
        <p dir="auto" className="w-fit font-medium wrap-anywhere">
          {name} <span className="font-mono font-normal text-muted-foreground">…{lastFour}</span>
        </p>
        <p className="wrap-anywhere">{scopes.join(', ')}</p>
        <p className="text-muted-foreground">{toState(token)}</p>
      </div>
      <Button
        variant="outline"
        size="sm"
        busy={isBusy}
        aria-label={t('tokens.revokeName', { name, lastFour })}
        onClick={() => setAsking(true)}
      >
        {isBusy ? <Spinner /> : null} {t('tokens.revoke')}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={() => setAsking(false)}
        title={t('tokens.revokeQuestion')}
        text={t('tokens.revokeText', { name })}
        confirmLabel={t('tokens.revoke')}
        onConfirm={() => void handleRevoke()}
      />
    </li>
  );
};

import { CalendarX, Link2Off } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Ad, getAd, renewAd } from '../../../contract/ads.ts';
import {
  answerExpiryQuestion,
  type ExpiryAnswer,
  type ExpiryQuestion,
  getExpiryQuestion,
  getExpiryState,
} from '../../../contract/expiry.ts';
import { type TextKey, t } from '../../../contract/i18n.ts';
import { hasStatus } from '../api/client.ts';
import { useApiMutation, useApiQuery } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { ExpiryQuestionCard } from '../features/ads/expiry/expiry-question-card.tsx';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { LinkButton } from '../ui/button.tsx';
import { EmptyPage, PageSkeleton } from '../ui/feedback.tsx';
import { lazyOverlay } from '../ui/lazy-overlays.tsx';
import { Query } from '../ui/query.tsx';

const SellDialog = lazyOverlay(() => import('../features/ads/sale/sell-dialog.tsx').then((m) => m.SellDialog));

const ANSWERS: readonly string[] = ['renew', 'sold', 'expire'] satisfies ExpiryAnswer[];
const isAnswer = (text: string): text is ExpiryAnswer => ANSWERS.includes(text);

/** Opened by the link of a mail, with a token and without sign-in, or by the ad's owner from a notification. */
export const StillAvailablePage = () => {
  const [query] = useSearchParams();
  const token = query.get('token');
  const [adId, endsAt] = [query.get('ad'), query.get('ends')];
  const answer = query.get('answer') ?? '';
  const chosen = isAnswer(answer) ? answer : undefined;
  if (token) return <QuestionOfLink key={token} token={token} chosen={chosen} />;
  if (adId && endsAt) return <QuestionOfOwner key={adId} adId={adId} endsAt={endsAt} chosen={chosen} />;
  return <BadLink title="expiry.incomplete" text="expiry.openNewest" />;
};

interface BadLinkProps {
  title: TextKey;
  text: TextKey;
}

const BadLink = ({ title, text }: BadLinkProps) => (
  <EmptyPage icon={Link2Off} title={t(title)} text={t(text)}>
    <LinkButton to="/dashboard">{t('expiry.myAds')}</LinkButton>
  </EmptyPage>
);

interface CardPageProps {
  question: ExpiryQuestion;
  chosen: ExpiryAnswer | undefined;
  onAnswer: (answer: ExpiryAnswer) => Promise<ExpiryQuestion | undefined>;
}

const CardPage = (props: CardPageProps) => (
  <div className="container-page max-w-2xl py-8 md:py-12">
    <ExpiryQuestionCard {...props} />
  </div>
);

const BAD_LINKS: Record<string, BadLinkProps> = {
  link_invalid: { title: 'expiry.invalid', text: 'expiry.openNewest' },
  validation_failed: { title: 'expiry.invalid', text: 'expiry.openNewest' },
  link_expired: { title: 'expiry.linkExpired', text: 'expiry.linkExpiredText' },
};

const QuestionOfLink = ({ token, chosen }: { token: string; chosen: ExpiryAnswer | undefined }) => {
  const query = useApiQuery(getExpiryQuestion, { query: { token } });
  const answer = useApiMutation(answerExpiryQuestion);
  return (
    <Query
      of={query}
      failure={t('expiry.loadFailed')}
      refusal={({ reply }) => {
        const bad = BAD_LINKS[reply?.code ?? ''];
        return bad && <BadLink {...bad} />;
      }}
      loading={<PageSkeleton />}
    >
      {(question) => (
        <CardPage
          question={question}
          chosen={chosen}
          onAnswer={async (given) => {
            try {
              return await answer({ body: { token, answer: given } });
            } catch (cause) {
              // the ad may have changed meanwhile
              void query.mutate();
              throw cause;
            }
          }}
        />
      )}
    </Query>
  );
};

interface OwnerProps {
  adId: string;
  endsAt: string;
  chosen: ExpiryAnswer | undefined;
}

const toQuestion = (ad: Ad, endsAt: string): ExpiryQuestion => {
  const { id, title, price, priceType, images, expiresAt = null } = ad;
  const state = getExpiryState(ad, endsAt, Date.now());
  return { ad: { id, title, price, priceType, thumbUrl: images[0]?.thumbUrl ?? null }, state, expiresAt };
};

const QuestionOfOwner = ({ adId, endsAt, chosen }: OwnerProps) => {
  const { user } = useSession();
  const query = useApiQuery(getAd, user ? { params: { id: adId } } : null, { freshMs: 0 });
  if (user === null) return <RequireSignIn title={t('expiry.signIn')} />;
  return (
    <Query
      of={query}
      failure={t('expiry.loadFailed')}
      refusal={(error) => (hasStatus(error, 404) ? <NoAd /> : undefined)}
      loading={<PageSkeleton />}
    >
      {(ad) =>
        ad.userId === user?.id ? (
          <QuestionOfOwnAd ad={ad} endsAt={endsAt} chosen={chosen} mutate={query.mutate} />
        ) : (
          <NoAd />
        )
      }
    </Query>
  );
};

interface OwnAdProps extends Omit<OwnerProps, 'adId'> {
  ad: Ad;
  mutate: ReturnType<typeof useApiQuery<typeof getAd>>['mutate'];
}

const QuestionOfOwnAd = ({ ad, endsAt, chosen, mutate }: OwnAdProps) => {
  const renew = useApiMutation(renewAd);
  const [isSelling, setSelling] = useState(false);
  const answerRef = useRef<(question: ExpiryQuestion | undefined) => void>(undefined);
  // An undone sale asks again.
  const [round, setRound] = useState(0);

  const handleAnswer = async (answer: ExpiryAnswer): Promise<ExpiryQuestion | undefined> => {
    if (answer === 'expire') return toQuestion(ad, endsAt);
    if (answer === 'sold') {
      const { promise, resolve } = Promise.withResolvers<ExpiryQuestion | undefined>();
      answerRef.current = resolve;
      setSelling(true);
      return promise;
    }
    try {
      return toQuestion(await renew({ params: { id: ad.id } }), endsAt);
    } catch (cause) {
      void mutate();
      throw cause;
    }
  };
  const handleSale = (changed: Ad) => {
    void mutate(changed, { revalidate: false });
    if (changed.isSold) answerRef.current?.(toQuestion(changed, endsAt));
    else setRound(round + 1);
  };
  return (
    <>
      <CardPage key={round} question={toQuestion(ad, endsAt)} chosen={chosen} onAnswer={handleAnswer} />
      <SellDialog
        ad={ad}
        open={isSelling}
        onOpenChange={(open) => {
          setSelling(open);
          if (!open) answerRef.current?.(undefined);
        }}
        onChange={handleSale}
      />
    </>
  );
};

const NoAd = () => (
  <EmptyPage icon={CalendarX} title={t('list.adNotFound')} text={t('expiry.notFoundText')}>
    <LinkButton to="/dashboard">{t('expiry.myAds')}</LinkButton>
  </EmptyPage>
);

import { CalendarX, CircleCheck, RotateCcw, Tag } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ExpiryAnswer, ExpiryQuestion } from '../../../../../contract/expiry.ts';
import { EXPIRY_ANSWERS } from '../../../../../contract/expiry-words.ts';
import { type TextKey, t } from '../../../../../contract/i18n.ts';
import { toPriceText } from '../../../../../contract/prices.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LocalDate } from '../../../ui/local-date.tsx';
import { Rich } from '../../../ui/rich.tsx';

const ICONS = { renew: RotateCcw, sold: Tag, expire: CalendarX } as const satisfies Record<ExpiryAnswer, unknown>;

interface ExpiryQuestionCardProps {
  question: ExpiryQuestion;
  /** The answer whose link the person opened: its button comes first. */
  chosen: ExpiryAnswer | undefined;
  /** Resolves to the question as it is then; to undefined if the person chose to leave it open. */
  onAnswer: (answer: ExpiryAnswer) => Promise<ExpiryQuestion | undefined>;
}

/** An ad that expires or expired, and one click for each answer. */
export const ExpiryQuestionCard = ({ question, chosen, onAnswer }: ExpiryQuestionCardProps) => {
  const [done, setDone] = useState<{ answer: ExpiryAnswer; question: ExpiryQuestion }>();
  const { isBusy, run } = useAction();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { ad } = question;

  const handleAnswer = (answer: ExpiryAnswer) =>
    run(async () => {
      const answered = await onAnswer(answer);
      if (answered) setDone({ answer, question: answered });
    }, t('expiry.failed'));

  // the button that had the focus is gone
  useEffect(() => {
    if (done) headingRef.current?.focus();
  }, [done]);

  const { expiresAt } = done?.question ?? question;
  const { heading, text } = done ? describeAnswer(done.answer, done.question) : describeQuestion(question);
  return (
    <Card className="grid gap-5">
      {question.state === 'deleted' ? null : <AdLine ad={ad} />}
      <div className="grid gap-1">
        <h1 ref={headingRef} tabIndex={-1} className="flex items-center gap-2 text-2xl font-semibold outline-none">
          {done ? <CircleCheck className="size-6 shrink-0 text-success" /> : null}
          {t(heading)}
        </h1>
        {text ? (
          <p className="text-muted-foreground">
            <Rich text={t(text)} date={() => (expiresAt ? <LocalDate iso={expiresAt} /> : null)} />
          </p>
        ) : null}
      </div>
      {done === undefined && isOpen(question) ? (
        <div className="grid gap-3 sm:flex sm:flex-wrap">
          {listAnswers(question, chosen).map((answer, index) => {
            const Icon = ICONS[answer];
            return (
              <Button
                key={answer}
                variant={index === 0 ? 'primary' : 'outline'}
                busy={isBusy}
                onClick={() => void handleAnswer(answer)}
              >
                <Icon />
                {EXPIRY_ANSWERS[answer]}
              </Button>
            );
          })}
        </div>
      ) : (
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/dashboard" variant="outline">
            {t('expiry.myAds')}
          </LinkButton>
          {isVisible(done?.question ?? question) ? (
            <LinkButton to={`/ads/${ad.id}`} variant="outline">
              {t('expiry.viewAd')}
            </LinkButton>
          ) : null}
        </div>
      )}
    </Card>
  );
};

const AdLine = ({ ad }: Pick<ExpiryQuestion, 'ad'>) => (
  <div className="flex min-w-0 items-center gap-4">
    {ad.thumbUrl ? (
      <img src={ad.thumbUrl} alt="" className="size-16 shrink-0 rounded-control object-cover" />
    ) : (
      <span className="flex size-16 shrink-0 items-center justify-center rounded-control bg-muted text-muted-foreground">
        <Tag className="size-6" />
      </span>
    )}
    <div className="min-w-0">
      <p className="font-medium wrap-anywhere">
        <bdi className="line-clamp-2 w-fit">{ad.title}</bdi>
      </p>
      <p className="text-muted-foreground tabular-nums">{toPriceText(ad)}</p>
    </div>
  </div>
);

const isOpen = ({ state }: ExpiryQuestion): boolean => state === 'open' || state === 'expired';
const isVisible = ({ state }: ExpiryQuestion): boolean => ['open', 'renewed', 'sold'].includes(state);

const listAnswers = ({ state }: ExpiryQuestion, chosen: ExpiryAnswer | undefined): ExpiryAnswer[] => {
  const answers: ExpiryAnswer[] = state === 'expired' ? ['renew', 'sold'] : ['renew', 'sold', 'expire'];
  return chosen && answers.includes(chosen) ? [chosen, ...answers.filter((answer) => answer !== chosen)] : answers;
};

interface Words {
  heading: TextKey;
  text?: TextKey;
}

const describeQuestion = ({ state, expiresAt }: ExpiryQuestion): Words => {
  switch (state) {
    case 'open':
      return { heading: 'shell.titleStillAvailable', text: 'expiry.expires' };
    case 'expired':
      return { heading: 'shell.titleStillAvailable', text: 'expiry.expired' };
    case 'renewed':
      return { heading: 'expiry.renewedAlready', text: expiresAt ? 'expiry.expiresOn' : 'expiry.doesNotExpire' };
    case 'sold':
      return { heading: 'expiry.isSold', text: 'expiry.soldText' };
    case 'hidden':
      return { heading: 'expiry.hidden', text: 'expiry.hiddenText' };
    case 'deleted':
      return { heading: 'expiry.deleted' };
  }
};

const describeAnswer = (answer: ExpiryAnswer, { expiresAt }: ExpiryQuestion): Words => {
  switch (answer) {
    case 'renew':
      return { heading: 'expiry.renewed', text: expiresAt ? 'expiry.renewedText' : 'expiry.liveText' };
    case 'sold':
      return { heading: 'expiry.sold', text: 'expiry.soldText' };
    case 'expire':
      return { heading: 'expiry.willExpire', text: 'expiry.willExpireText' };
  }
};

import { type FormEvent, useState } from 'react';
import { readTyped } from '../../../../contract/amount.ts';
import type { DealRefusal } from '../../../../contract/deals.ts';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { Message, MessageAd, Offer } from '../../../../contract/messages.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { counterOffer, makeOffer } from '../../../../contract/offers.ts';
import type { User } from '../../../../contract/user.ts';
import { ApiError, getErrorMessage } from '../../api/client.ts';
import { useApiMutation, useInvalidateQueries } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useFormValues } from '../../api/use-form-values.ts';
import { draftKey } from '../../lib/draft.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { PriceInput } from '../../ui/price-input.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { proposeOffers } from './proposals.ts';

interface OfferDialogProps {
  ad: Pick<MessageAd, 'id' | 'userId' | 'price'>;
  other: Pick<User, 'id' | 'displayName'>;
  /** The open offer of the other person that the new one responds to. */
  countered?: Offer | undefined;
  /** Shows the message of the reply, where the conversation is on screen. */
  showReply?: (message: Message) => Promise<unknown>;
  /** Shows the conversation, where it is not: it has the new offer, or one that is open already. */
  onInConversation?: () => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Makes an offer in a conversation, or counters one. */
export const OfferDialog = ({ other, countered, open, onOpenChange, ...offer }: OfferDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={t(countered ? 'messages.counterTitle' : 'messages.makeOffer')}
    description={
      countered
        ? t('messages.counterText', { name: other.displayName, amount: formatPrice(countered.amount) })
        : t('messages.makeText', { name: other.displayName, count: LIMITS.offerHours })
    }
  >
    <OfferForm key={countered?.id} other={other} countered={countered} onClose={() => onOpenChange(false)} {...offer} />
  </Dialog>
);

/** A higher amount, as a multiple of the price, is probably a slip. */
const DOUBTFUL = 3;

const isDoubtful = (amount: string, price: string): boolean =>
  Number(price) > 0 && Number(amount) > DOUBTFUL * Number(price);

const hasOpenOffer = (error: unknown): boolean =>
  error instanceof ApiError && error.reply?.fields?.state === ('has_open_offer' satisfies DealRefusal);

type OfferFormProps = Omit<OfferDialogProps, 'open' | 'onOpenChange'> & { onClose: () => void };

const OfferForm = ({ ad, other, countered, showReply, onInConversation, onClose }: OfferFormProps) => {
  const toast = useToast();
  const make = useApiMutation(makeOffer);
  const counter = useApiMutation(counterOffer);
  const invalidate = useInvalidateQueries();
  const [questioned, setQuestioned] = useState<string>();
  const { user } = useSession();
  const apiForm = useApiForm({
    endpoint: counterOffer,
    toBody: ({ amount }) => ({ amount: readTyped(amount) }),
    saved: { amount: '' },
    draft: { key: draftKey(user?.id ?? '', `offer:${countered?.id ?? `${ad.id}:${other.id}`}`), since: 'typed' },
  });
  const { form, isSending } = apiForm;
  const [typed] = useFormValues(form, 'amount');
  const amount = readTyped(typed);
  const isQuestioned = questioned !== undefined && questioned === amount;

  const submit = apiForm.createSubmit({
    send: (_, { idempotencyKey }) =>
      countered
        ? counter({ params: { id: countered.id }, body: { amount }, idempotencyKey }, showReply)
        : make({ body: { adId: ad.id, receiverId: other.id, amount }, idempotencyKey }, showReply),
    onSent: () => {
      onClose();
      toast({ title: t('messages.offerSent', { name: other.displayName }) });
      onInConversation?.();
    },
    onRefused: (error) => {
      if (onInConversation && hasOpenOffer(error)) {
        onClose();
        toast.error(t('messages.hasOpenOffer'));
        return onInConversation();
      }
      apiForm.setFailure(getErrorMessage(error, t('messages.offerNotSent')));
      // Shows what has changed meanwhile behind the dialog.
      void invalidate(...makeOffer.invalidates);
    },
  });
  const proposals = countered || ad.userId !== other.id ? [] : proposeOffers(ad.price);
  const handleSubmit = (event: FormEvent) => {
    if (isQuestioned || !isDoubtful(amount, ad.price)) return submit(event);
    event.preventDefault();
    void form.trigger(undefined, { shouldFocus: true }).then((isValid) => isValid && setQuestioned(amount));
  };

  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-4">
      {proposals.length > 0 ? (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">{t('messages.proposals')}</legend>
          {proposals.map((proposal) => (
            <Button
              key={proposal.percent}
              variant="outline"
              className="grow rounded-full aria-pressed:border-primary aria-pressed:bg-accent aria-pressed:text-accent-foreground"
              aria-pressed={amount === proposal.amount}
              busy={isSending}
              onClick={() => form.setValue('amount', proposal.amount, { shouldDirty: true, shouldValidate: true })}
            >
              {formatPrice(proposal.amount)}
              <bdi dir="ltr" className="font-normal text-muted-foreground">
                −{proposal.percent} %
              </bdi>
            </Button>
          ))}
        </fieldset>
      ) : null}
      <Field
        label={t('messages.yourOffer')}
        required
        error={form.formState.errors.amount?.message}
        hint={t('messages.priceHint', { price: formatPrice(ad.price), count: LIMITS.reservationDays })}
      >
        <PriceInput autoComplete="off" disabled={isSending} {...form.register('amount')} />
      </Field>
      {isQuestioned ? (
        <p role="alert" className="rounded-control bg-warning-soft px-3 py-2 text-sm text-warning">
          {t('messages.doubtful', { amount: formatPrice(amount), price: formatPrice(ad.price) })}
        </p>
      ) : null}
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {isQuestioned ? t('messages.offerAnyway', { amount: formatPrice(amount) }) : t('messages.sendOffer')}
      </DialogFormFooter>
    </form>
  );
};

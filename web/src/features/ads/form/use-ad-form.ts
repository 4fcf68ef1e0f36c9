import { useRef, useState } from 'react';
import { type Ad, type Confirmed, createAd, updateAd } from '../../../../../contract/ads.ts';
import { ApiError } from '../../../api/client.ts';
import { useApiForm } from '../../../api/use-api-form.ts';
import type { Sending } from '../../../api/use-form-draft.ts';
import { draftKey } from '../../../lib/draft.ts';
import {
  type AdValues,
  EMPTY_AD,
  getImageError,
  toAdMessage,
  toAdValues,
  useAdDetails,
  withoutDetails,
} from './ad-values.ts';
import { CREATE_RULES, EDIT_RULES } from './photo-rules.ts';
import { useAdPhotos } from './use-ad-photos.ts';

/** What the server asks before it takes an ad. */
export interface Question {
  message: string;
  /** The path of the ad in question. */
  similarAd?: string | undefined;
  /** Whether the ad is taken after a yes. */
  isOpen: boolean;
}

const toQuestion = (error: unknown): Question | undefined => {
  const reply = error instanceof ApiError ? error.reply : undefined;
  const similarAd = reply?.fields?.similarAd;
  const isOpen = reply?.code === 'similar_ad' || reply?.code === 'odd_price';
  return reply && (isOpen || similarAd) ? { message: reply.message, similarAd, isOpen } : undefined;
};

interface AdFormOptions<Sent> {
  userId: string;
  /** The ad to edit; without it, a new one is posted. */
  ad?: Ad;
  /** What the form of a new ad opens with, and the name of its draft. */
  begin?: { values: Partial<AdValues>; draft: string };
  attachments?: readonly unknown[];
  send: (body: AdValues & Confirmed, sending: Sending, form: { isRestored: boolean }) => Promise<Sent>;
  onSent: (sent: Sent, form: { isLeft: boolean }) => void;
  /** Not called for a question, which the form shows. */
  onRefused: (error: unknown, form: { isLeft: boolean }) => void;
}

/** The form of a new ad or of one that is edited: values, draft, details, photos, and what the server asks. */
export const useAdForm = <Sent>({ userId, ad, begin, send, ...options }: AdFormOptions<Sent>) => {
  const adDetails = useAdDetails();
  const [question, setQuestion] = useState<Question>();
  /** What was answered with a yes. Another price is asked about again. */
  const confirmedRef = useRef<{ price?: string; similar?: boolean }>({});
  const apiForm = useApiForm<AdValues>({
    endpoint: ad ? updateAd : createAd,
    toBody: withoutDetails,
    findProblems: adDetails.findProblems,
    toMessage: toAdMessage,
    saved: ad ? toAdValues(ad) : { ...EMPTY_AD, ...begin?.values },
    version: ad?.version,
    attachments: options.attachments ?? [],
    draft: ad
      ? { key: draftKey(userId, `ad:${ad.id}`), since: 'sent' }
      : { key: draftKey(userId, begin?.draft ?? 'ad'), since: 'typed' },
  });
  const { form, isRestored } = apiForm;
  const photos = useAdPhotos(form, ad ? EDIT_RULES : CREATE_RULES);

  const handleSubmit = apiForm.createSubmit<Sent>({
    send: async (values, sending) => {
      setQuestion(undefined);
      const { price, similar = false } = confirmedRef.current;
      const confirmed = { confirmPrice: price === values.price, ...(!ad && { confirmSimilar: similar }) };
      return send({ ...(await adDetails.toBody(values)), ...confirmed }, sending, { isRestored });
    },
    onSent: options.onSent,
    onRefused: (error, where) => {
      photos.setError(getImageError(error));
      const asked = toQuestion(error);
      setQuestion(asked);
      if (asked === undefined || where.isLeft) options.onRefused(error, where);
    },
  });

  return {
    apiForm,
    photos,
    question,
    handleSubmit,
    confirm: () => {
      const { price } = form.getValues();
      confirmedRef.current = question?.similarAd
        ? { ...confirmedRef.current, similar: true }
        : { ...confirmedRef.current, price };
      void handleSubmit();
    },
    startOver: () => {
      apiForm.startOver();
      photos.reset(form.getValues('imageUrls'));
    },
  };
};

export type UsedAdForm = Pick<
  ReturnType<typeof useAdForm>,
  'apiForm' | 'photos' | 'question' | 'handleSubmit' | 'confirm'
>;

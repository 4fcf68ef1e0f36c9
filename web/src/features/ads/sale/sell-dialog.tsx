import { UserRound } from 'lucide-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { Ad } from '../../../../../contract/ads.ts';
import { listBuyers } from '../../../../../contract/deals.ts';
import { t } from '../../../../../contract/i18n.ts';
import type { User } from '../../../../../contract/user.ts';
import { getErrorMessage, hasStatus } from '../../../api/client.ts';
import { useInfiniteApiQuery } from '../../../api/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/card.tsx';
import { DialogFormFooter } from '../../../ui/dialog-form-footer.tsx';
import { SkeletonRegion } from '../../../ui/feedback.tsx';
import { FormError } from '../../../ui/form-controls.tsx';
import { Handle } from '../../../ui/handle.tsx';
import { Dialog } from '../../../ui/lazy-overlays.tsx';
import { LoadMoreButton } from '../../../ui/load-more-button.tsx';
import { Query } from '../../../ui/query.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import { useSale } from './use-sale.ts';

export interface SellDialogProps {
  ad: Pick<Ad, 'id' | 'title' | 'reservedFor'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called with the sold ad, and with the available one after Undo. */
  onChange: (ad: Ad) => void;
}

/** Asks who bought an item, and marks it as sold. */
export const SellDialog = ({ ad, open, onOpenChange, onChange }: SellDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={t('sale.who')}
    description={t('sale.whoText', { title: ad.title })}
  >
    <SellForm ad={ad} onChange={onChange} onClose={() => onOpenChange(false)} />
  </Dialog>
);

const PAGE_SIZE = '10';
const ELSEWHERE = 'elsewhere';

/** The person for whom the item is reserved comes first. */
const listOptions = (people: User[], reservedFor: User | undefined): User[] =>
  reservedFor ? [reservedFor, ...people.filter(({ id }) => id !== reservedFor.id)] : people;

type SellFormProps = Pick<SellDialogProps, 'ad' | 'onChange'> & { onClose: () => void };

const SellForm = ({ ad, onChange, onClose }: SellFormProps) => {
  const { reservedFor } = ad;
  const list = useInfiniteApiQuery(listBuyers, { params: { id: ad.id }, query: { limit: PAGE_SIZE } }, { freshMs: 0 });
  const { markSold } = useSale(ad, onChange);
  const toast = useToast();
  const [chosen, setChosen] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const people = list.data && listOptions(list.data, reservedFor);
  const value = chosen ?? (people?.length === 0 ? ELSEWHERE : reservedFor?.id);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const buyer = people?.find(({ id }) => id === value);
    if (!buyer && value !== ELSEWHERE) {
      setFailure(t('sale.chooseBuyer'));
      formRef.current?.querySelector('input')?.focus();
      return;
    }
    setFailure(undefined);
    setSending(true);
    try {
      await markSold(buyer);
      onClose();
    } catch (error) {
      const message = getErrorMessage(error, t('sale.failed'));
      setSending(false);
      if (!hasStatus(error, 409)) return setFailure(message);
      // The page behind the dialog shows what the ad is now.
      onClose();
      toast.error(message);
    }
  };
  const toOption = (id: string) => ({ value: id, isChosen: id === value, onChoose: () => setChosen(id) });

  return (
    <form ref={formRef} noValidate onSubmit={handleSubmit} className="grid min-h-0 gap-4">
      <fieldset className="min-w-0" aria-describedby={failure ? 'buyer-error' : undefined}>
        <legend className="sr-only">{t('sale.who')}</legend>
        <div className="-mx-2 max-h-[50dvh] overflow-y-auto px-2">
          <Query
            of={{ ...list, data: people }}
            failure={t('sale.peopleFailed')}
            size="line"
            loading={<SkeletonRegion className="grid gap-2 py-1" boxes={['h-12', 'h-12']} />}
            empty={<p className="py-2 text-sm text-muted-foreground">{t('sale.nobodyWrote')}</p>}
          >
            {(options) =>
              options.map((person) => (
                <Option key={person.id} {...toOption(person.id)}>
                  <Avatar src={person.avatar} name={person.displayName} />
                  <span className="min-w-0">
                    <bdi className="block truncate font-medium">{person.displayName}</bdi>
                    {person.username ? (
                      <span className="block truncate text-sm text-muted-foreground">
                        <Handle name={person.username} />
                      </span>
                    ) : null}
                  </span>
                  {person.id === reservedFor?.id ? (
                    <Badge variant="accent" className="ms-auto">
                      {t('states.reserved')}
                    </Badge>
                  ) : null}
                </Option>
              ))
            }
          </Query>
          <LoadMoreButton list={list} />
          <Option {...toOption(ELSEWHERE)}>
            <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-muted text-muted-foreground">
              <UserRound className="size-5" />
            </span>
            <span className="min-w-0 font-medium wrap-anywhere">{t('sale.elsewhere')}</span>
          </Option>
        </div>
      </fieldset>
      <div id="buyer-error">
        <FormError>{failure}</FormError>
      </div>
      <DialogFormFooter form={{ isSending }} onCancel={onClose}>
        {t('sale.markSold')}
      </DialogFormFooter>
    </form>
  );
};

interface OptionProps {
  value: string;
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

const Option = ({ value, isChosen, onChoose, children }: OptionProps) => (
  <label className="flex min-h-14 cursor-pointer items-center gap-3 rounded-control px-2 hover:bg-muted has-checked:bg-accent has-checked:text-accent-foreground">
    <input
      type="radio"
      name="buyer"
      value={value}
      checked={isChosen}
      onChange={onChoose}
      className="size-5 shrink-0 accent-primary"
    />
    {children}
  </label>
);

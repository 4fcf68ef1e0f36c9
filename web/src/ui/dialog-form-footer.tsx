import { clsx as cn } from 'clsx';
import type { ReactNode, Ref } from 'react';
import { t } from '../../../contract/i18n.ts';
import { Button } from './button.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { Spinner } from './feedback.tsx';
import { FormError } from './form-controls.tsx';

interface DialogFormFooterProps {
  /** The result of `useApiForm`. */
  form: {
    failure?: string | undefined;
    isSending: boolean;
    submitRef?: Ref<HTMLButtonElement>;
    isRestored?: boolean;
    startOver?: () => void;
  };
  onCancel: () => void;
  className?: string;
  /** The label of the button that sends the form. */
  children: ReactNode;
}

/** The end of a form that can be left: whether a draft is back, why it was refused, Cancel, and the button that sends it. */
export const DialogFormFooter = ({ form, onCancel, className, children }: DialogFormFooterProps) => (
  <>
    <DraftNotice form={form} />
    <FormError>{form.failure}</FormError>
    <div className={cn('dialog-footer', className)}>
      <Button variant="outline" onClick={onCancel}>
        {t('shell.cancel')}
      </Button>
      <Button ref={form.submitRef} type="submit" busy={form.isSending}>
        {form.isSending ? <Spinner /> : null} {children}
      </Button>
    </div>
  </>
);

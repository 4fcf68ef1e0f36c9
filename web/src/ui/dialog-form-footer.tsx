import type { ReactNode, Ref } from 'react';
import { Button } from './button.tsx';
import { Spinner } from './feedback.tsx';
import { FormError } from './form-controls.tsx';

interface DialogFormFooterProps {
  /** Why the form could not be sent. */
  failure: string | undefined;
  submitRef: Ref<HTMLButtonElement>;
  isSending: boolean;
  onCancel: () => void;
  /** The label of the button that sends the form. */
  children: ReactNode;
}

/** The end of a form in a dialog: why it was refused, Cancel, and the button that sends it. */
export const DialogFormFooter = ({ failure, submitRef, isSending, onCancel, children }: DialogFormFooterProps) => (
  <>
    <FormError>{failure}</FormError>
    <div className="dialog-footer">
      <Button variant="outline" onClick={onCancel}>
        Cancel
      </Button>
      <Button ref={submitRef} type="submit" busy={isSending}>
        {isSending ? <Spinner /> : null} {children}
      </Button>
    </div>
  </>
);

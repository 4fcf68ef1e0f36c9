import { Button } from './button.tsx';

interface DraftNoticeProps {
  /** The result of `useApiForm`. */
  form: { isRestored?: boolean; isSending: boolean; startOver?: () => void };
}

/** Says that a form holds what was typed earlier, and throws it away if that is not wanted. */
export const DraftNotice = ({ form }: DraftNoticeProps) =>
  form.isRestored ? (
    <p role="status" className="flex flex-wrap items-center gap-x-2 text-sm text-muted-foreground">
      What you typed earlier is back.
      <Button variant="link" size="inline" className="min-h-8" busy={form.isSending} onClick={form.startOver}>
        Start over
      </Button>
    </p>
  ) : null;

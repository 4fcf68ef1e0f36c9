import { t } from '../../../contract/i18n.ts';
import { Button } from './button.tsx';

interface DraftNoticeProps {
  /** The result of `useApiForm`. */
  form: { isRestored?: boolean; isSending: boolean; startOver?: () => void };
}

/** Says that a form holds what was typed earlier, and throws it away if that is not wanted. */
export const DraftNotice = ({ form }: DraftNoticeProps) =>
  form.isRestored ? (
    <p role="status" className="flex flex-wrap items-center gap-x-2 text-sm text-muted-foreground">
      {t('forms.draftBack')}
      <Button variant="link" size="inline" className="min-h-8" busy={form.isSending} onClick={form.startOver}>
        {t('forms.startOver')}
      </Button>
    </p>
  ) : null;

import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { deleteMe, exportMyData } from '../../../../contract/users.ts';
import { apiRequest } from '../../api/client.ts';
import { useReplaceSession } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { saveJson } from '../../lib/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { DownloadAds } from './download-ads.tsx';

export const AccountDataActions = () => {
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const replaceSession = useReplaceSession();
  const navigate = useNavigate();
  const toast = useToast();

  const handleExport = () =>
    run(async () => saveJson('my-data.json', await apiRequest(exportMyData)), t('account.downloadFailed'));
  const handleDelete = () =>
    run(async () => {
      await apiRequest(deleteMe);
      await navigate('/');
      await replaceSession(null);
      toast({
        title: t('account.deleted'),
        description: t('account.deletedText'),
      });
    }, t('account.deleteFailed'));

  return (
    <section className="text-start">
      <h2 className="mb-3 card-heading">{t('account.yourData')}</h2>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => void handleExport()} busy={isBusy}>
          {isBusy ? <Spinner /> : <Download />} {t('account.download')}
        </Button>
        <DownloadAds />
        <Button variant="outline" className="text-destructive" onClick={() => setAsking(true)}>
          <Trash2 /> {t('account.deleteAccount')}
        </Button>
      </div>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('account.deleteAccount')}
        text={t('account.deleteText')}
        confirmLabel={t('account.deleteAccount')}
        onConfirm={() => void handleDelete()}
      />
    </section>
  );
};

import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
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
    run(
      async () => saveJson('my-data.json', await apiRequest(exportMyData)),
      'Failed to collect your data. Please try again.',
    );
  const handleDelete = () =>
    run(async () => {
      await apiRequest(deleteMe);
      await navigate('/');
      await replaceSession(null);
      toast({
        title: 'Account deleted',
        description: 'Your profile and ads have been removed. The files of your photos follow within two hours.',
      });
    }, 'Failed to delete your account. Please try again.');

  return (
    <section className="text-start">
      <h2 className="mb-3 card-heading">Your data</h2>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => void handleExport()} busy={isBusy}>
          {isBusy ? <Spinner /> : <Download />} Download my data
        </Button>
        <DownloadAds />
        <Button variant="outline" className="text-destructive" onClick={() => setAsking(true)}>
          <Trash2 /> Delete my account
        </Button>
      </div>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete my account"
        text="Your profile, ads, photos, favorites and sessions are removed. Messages you sent stay with the people you wrote to, under “Deleted user”. This action cannot be undone."
        confirmLabel="Delete my account"
        onConfirm={() => void handleDelete()}
      />
    </section>
  );
};

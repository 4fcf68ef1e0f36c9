import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { deleteMe, exportMyData } from '../../../../contract/users.ts';
import { apiRequest, getErrorMessage } from '../../api/client.ts';
import { useReplaceSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';

const saveAs = (name: string, json: unknown): void => {
  const url = URL.createObjectURL(new Blob([JSON.stringify(json, null, 2)], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

export const AccountDataActions = () => {
  const [isExporting, setExporting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const replaceSession = useReplaceSession();
  const navigate = useNavigate();
  const toast = useToast();

  const handleExport = async () => {
    setExporting(true);
    try {
      saveAs('my-data.json', await apiRequest(exportMyData));
    } catch (error) {
      const description = getErrorMessage(error, 'Failed to collect your data. Please try again.');
      toast.error(description);
    } finally {
      setExporting(false);
    }
  };

  const handleDelete = async () => {
    try {
      await apiRequest(deleteMe);
      await navigate('/');
      await replaceSession(null);
      toast({
        title: 'Account deleted',
        description: 'Your profile and ads have been removed. The files of your pictures follow within two hours.',
      });
    } catch (error) {
      const description = getErrorMessage(error, 'Failed to delete your account. Please try again.');
      toast.error(description);
    }
  };

  return (
    <section className="border-t border-border pt-4">
      <h3 className="mb-2 font-semibold">Your data</h3>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => void handleExport()} busy={isExporting}>
          {isExporting ? <Spinner /> : <Download aria-hidden="true" />} Download my data
        </Button>
        <Button variant="outline" className="text-destructive" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden="true" /> Delete my account
        </Button>
      </div>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete my account"
        text="Your profile, ads, pictures, favorites and sessions are removed. Messages you sent stay with the people you wrote to, under “Deleted user”. This action cannot be undone."
        confirmLabel="Delete my account"
        onConfirm={() => void handleDelete()}
      />
    </section>
  );
};

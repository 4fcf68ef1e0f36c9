import { Braces, Download, Table } from 'lucide-react';
import { toCsvRecord } from '../../../../contract/csv.ts';
import { t } from '../../../../contract/i18n.ts';
import { exportMyAds, OWN_COLUMNS, type OwnAd, type OwnColumn } from '../../../../contract/own-ads.ts';
import { apiRequest } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { saveCsv, saveJson } from '../../lib/save-file.ts';
import { Spinner } from '../../ui/feedback.tsx';
import { loadActionMenu, MenuButton } from '../../ui/lazy-overlays.tsx';

const toCell = (value: OwnAd[OwnColumn]): string => {
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** The ads as a table: photos one after the other, details as JSON. */
export const toCsv = (ads: readonly OwnAd[]): string =>
  [OWN_COLUMNS, ...ads.map((ad) => OWN_COLUMNS.map((column) => toCell(ad[column])))].map(toCsvRecord).join('');

/** Saves the person's ads as a file that another marketplace takes in, and a spreadsheet opens. */
export const DownloadAds = () => {
  const { isBusy, run } = useAction();
  const save = (work: (ads: OwnAd[]) => void) =>
    void run(async () => work(await apiRequest(exportMyAds)), t('account.adsFailed'));
  return (
    <MenuButton
      label={t('account.downloadAds')}
      variant="outline"
      size="md"
      load={loadActionMenu}
      menu={{
        title: t('account.downloadAds'),
        actions: [
          {
            icon: Table,
            label: t('account.csv'),
            onSelect: () => save((ads) => saveCsv('my-ads.csv', toCsv(ads))),
          },
          { icon: Braces, label: t('account.json'), onSelect: () => save((ads) => saveJson('my-ads.json', ads)) },
        ],
      }}
    >
      {isBusy ? <Spinner /> : <Download />} {t('account.downloadAds')}
    </MenuButton>
  );
};

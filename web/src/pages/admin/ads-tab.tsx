import { CircleCheck, CircleOff, Eye, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { listAdminAds } from '../../../../contract/admin.ts';
import type { Ad, AdState } from '../../../../contract/ads.ts';
import { formatPrice } from '../../../../contract/format-price.ts';
import { usePagedCall } from '../../api/use-paged-call.ts';
import { formatCount } from '../../lib/format-count.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { NativeSelect } from '../../ui/native-select.tsx';
import { AdDialog } from './ad-dialog.tsx';
import { AdInTable } from './ad-in-table.tsx';
import { AdStatus } from './ad-status.tsx';
import { DeactivateDialog } from './deactivate-dialog.tsx';
import { DeleteAdDialog } from './delete-ad-dialog.tsx';
import { RowAction } from './row-action.tsx';
import { useActivateAd } from './use-activate-ad.ts';
import { useDebounced } from './use-debounced.ts';

/** All ads, newest first: look closer, approve or activate, deactivate, delete. */
export const AdsTab = () => {
  const [search, setSearch] = useState('');
  const [state, setState] = useState<'' | AdState>('');
  const [shown, setShown] = useState<Ad>();
  const [toDeactivate, setToDeactivate] = useState<Ad>();
  const [toDelete, setToDelete] = useState<Ad>();
  const activate = useActivateAd();
  const settled = useDebounced(search.trim());
  const query = { search: settled || undefined, state: state || undefined };
  const list = usePagedCall(listAdminAds, { query }, { keepPreviousData: true });

  const columns: Column<Ad>[] = [
    { title: 'Ad', cell: (ad) => <AdInTable ad={ad} />, className: 'md:min-w-64' },
    {
      title: 'Poster',
      labelled: true,
      cell: (ad) => <bdi className="wrap-anywhere">{ad.user.displayName}</bdi>,
      className: 'md:min-w-32',
    },
    { title: 'Category', labelled: true, cell: (ad) => ad.category },
    { title: 'Price', labelled: true, cell: (ad) => formatPrice(ad.price), className: 'tabular-nums' },
    { title: 'Status', labelled: true, cell: (ad) => <AdStatus ad={ad} /> },
    { title: 'Views', labelled: true, cell: (ad) => formatCount(ad.views), className: 'tabular-nums' },
    {
      title: 'Actions',
      cell: (ad) => (
        <div className="flex gap-1">
          <RowAction icon={Eye} label={`View details of ${ad.title}`} onClick={() => setShown(ad)} />
          {ad.isActive ? (
            <RowAction icon={CircleOff} label={`Deactivate ${ad.title}`} onClick={() => setToDeactivate(ad)} />
          ) : (
            <RowAction icon={CircleCheck} label={`Activate ${ad.title}`} onClick={() => void activate(ad)} />
          )}
          <RowAction icon={Trash2} label={`Delete ${ad.title}`} onClick={() => setToDelete(ad)} />
        </div>
      ),
    },
  ];

  return (
    <>
      <div className="mb-4 flex flex-wrap gap-3">
        <Field label="Search ads" hideLabel className="min-w-56 grow sm:max-w-sm">
          <Input
            type="search"
            placeholder="Search title or description"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </Field>
        <Field label="Status" hideLabel className="w-44">
          <NativeSelect value={state} onChange={(event) => setState(event.target.value as typeof state)}>
            <option value="">All ads</option>
            <option value="active">Active</option>
            <option value="pending">Pending review</option>
            <option value="inactive">Inactive</option>
            <option value="expired">Expired</option>
          </NativeSelect>
        </Field>
      </div>
      <DataTable
        caption="Ads"
        columns={columns}
        rows={list.items}
        isLoading={list.isLoading}
        rowKey={(ad) => ad.id}
        skeletonRows={8}
        failure={list.error ? { title: 'Failed to load ads', onRetry: list.retry } : undefined}
        empty={<Empty icon={Tag} title="No ads found" />}
      />
      <LoadMoreButton list={list} />
      <AdDialog
        ad={list.items?.find((ad) => ad.id === shown?.id) ?? shown}
        onDeactivate={setToDeactivate}
        onDelete={setToDelete}
        onClose={() => setShown(undefined)}
      />
      <DeactivateDialog ad={toDeactivate} onClose={() => setToDeactivate(undefined)} />
      <DeleteAdDialog ad={toDelete} onDeleted={() => setShown(undefined)} onClose={() => setToDelete(undefined)} />
    </>
  );
};

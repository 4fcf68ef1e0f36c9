import type { LucideIcon } from 'lucide-react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { Field, Input, NativeSelect } from '../../ui/form-controls.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';

interface AdminTableProps<Row, Filter extends string> {
  noun: 'users' | 'ads';
  list: {
    items: Row[] | undefined;
    hasMore: boolean;
    isLoading: boolean;
    isLoadingMore: boolean;
    error: unknown;
    loadMore: () => Promise<number>;
    retry: () => void;
  };
  columns: Column<Row>[];
  search: { value: string; placeholder: string; onChange: (value: string) => void };
  filter: { value: Filter; options: Record<Filter, string>; onChange: (value: Filter) => void };
  emptyIcon: LucideIcon;
}

export const AdminTable = <Row extends { id: string }, Filter extends string>({
  noun,
  list,
  columns,
  search,
  filter,
  emptyIcon,
}: AdminTableProps<Row, Filter>) => (
  <>
    <div className="mb-4 flex flex-wrap gap-3">
      <Field label={`Search ${noun}`} hideLabel className="min-w-56 grow sm:max-w-sm">
        <Input
          type="search"
          placeholder={search.placeholder}
          value={search.value}
          onChange={(event) => search.onChange(event.target.value)}
        />
      </Field>
      <Field label="Status" hideLabel className="w-44">
        <NativeSelect value={filter.value} onChange={(event) => filter.onChange(event.target.value as Filter)}>
          {(Object.entries(filter.options) as [Filter, string][]).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </Field>
    </div>
    <DataTable
      caption={noun === 'users' ? 'Users' : 'Ads'}
      columns={columns}
      rows={list.items}
      isLoading={list.isLoading}
      rowKey={(row) => row.id}
      skeletonRows={8}
      failure={list.error ? { title: `Failed to load ${noun}`, onRetry: list.retry } : undefined}
      empty={<EmptyState icon={emptyIcon} title={`No ${noun} found`} />}
    />
    <LoadMoreButton list={list} />
  </>
);

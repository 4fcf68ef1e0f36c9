import type { LucideIcon } from 'lucide-react';
import { Tooltip as RadixTooltip } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { Field, Input, NativeSelect } from '../../ui/form-controls.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';

/** The first tooltip opens after 700 ms; the next opens immediately if it follows within 300 ms. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <RadixTooltip.Provider delayDuration={700} skipDelayDuration={300}>
    {children}
  </RadixTooltip.Provider>
);

export const Tooltip = ({ text, children }: { text: string; children: ReactElement }) => (
  <RadixTooltip.Root>
    <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
    <RadixTooltip.Portal>
      <RadixTooltip.Content
        sideOffset={6}
        collisionPadding={8}
        className="z-overlay max-w-64 animate-fade-in rounded-lg bg-foreground px-3 py-1.5 text-xs text-background"
      >
        {text}
      </RadixTooltip.Content>
    </RadixTooltip.Portal>
  </RadixTooltip.Root>
);

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

export const RowAction = ({ icon: Icon, label, onClick }: { icon: LucideIcon; label: string; onClick: () => void }) => (
  <Tooltip text={label}>
    <Button variant="ghost" size="icon" aria-label={label} onClick={onClick}>
      <Icon aria-hidden="true" />
    </Button>
  </Tooltip>
);

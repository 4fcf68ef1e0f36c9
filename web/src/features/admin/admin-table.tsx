import type { LucideIcon } from 'lucide-react';
import { Tooltip as RadixTooltip } from 'radix-ui';
import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { useDebouncedValue } from '../../hooks/use-debounced-value.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { Field, Input, NativeSelect } from '../../ui/form-controls.tsx';

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

/** The search and filter fields of an admin table, and the query that they make. */
export const useAdminFilter = <Filter extends string>() => {
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter | ''>('');
  return { search, setSearch, filter, setFilter, query: { search: useDebouncedValue(search.trim()) || undefined } };
};

interface AdminTableProps<Row extends { id: string }, Filter extends string> {
  texts: { caption: string; search: string; failed: string; none: string };
  list: ComponentProps<typeof DataTable<Row>>['list'];
  columns: Column<Row>[];
  fields: ReturnType<typeof useAdminFilter<Filter>>;
  searchPlaceholder: string;
  filterLabels: Record<Filter | '', string>;
  emptyIcon: LucideIcon;
}

export const AdminTable = <Row extends { id: string }, Filter extends string>({
  texts,
  list,
  columns,
  fields,
  searchPlaceholder,
  filterLabels,
  emptyIcon,
}: AdminTableProps<Row, Filter>) => (
  <>
    <div className="mb-4 flex flex-wrap gap-3">
      <Field label={texts.search} hideLabel className="min-w-56 grow sm:max-w-sm">
        <Input
          type="search"
          placeholder={searchPlaceholder}
          value={fields.search}
          onChange={(event) => fields.setSearch(event.target.value)}
        />
      </Field>
      <Field label={t('people.status')} hideLabel className="w-56">
        <NativeSelect
          value={fields.filter}
          options={Object.entries<string>(filterLabels)}
          onChange={(event) => fields.setFilter(event.target.value as Filter | '')}
        />
      </Field>
    </div>
    <DataTable
      caption={texts.caption}
      columns={columns}
      list={list}
      skeletonRows={8}
      failureTitle={texts.failed}
      empty={<EmptyState icon={emptyIcon} title={texts.none} />}
    />
  </>
);

interface RowActionProps {
  icon: LucideIcon;
  text: string;
  /** The text, with what the row is about. */
  label: string;
  busy?: boolean;
  onClick: () => void;
}

export const RowAction = ({ icon: Icon, text, label, busy, onClick }: RowActionProps) => (
  <Button variant="outline" size="sm" aria-label={label} busy={busy} onClick={onClick}>
    <Icon /> {text}
  </Button>
);

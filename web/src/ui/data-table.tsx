/* biome-ignore-all lint/a11y/noRedundantRoles: on phones the parts are not displayed as a table, and Safari then keeps
   explicit roles only */

import { clsx as cn } from 'clsx';
import type { ReactNode } from 'react';
import { t } from '../../../contract/i18n.ts';
import { useFocusFallback } from '../hooks/use-focus-fallback.ts';
import { Skeleton } from './feedback.tsx';
import { LoadMoreButton, type MoreList } from './load-more-button.tsx';
import { Query, type QueryState, toBusyProps } from './query.tsx';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  className?: string;
  /** Shows the column title before the value on phones, where the cells of a row are stacked. */
  labelled?: boolean;
}

interface Item {
  id: string;
}

interface DataTableProps<Row extends Item> {
  caption: string;
  columns: Column<Row>[];
  /** The result of `useInfiniteApiQuery`. While it loads, its rows are outdated. */
  list: MoreList & QueryState<Row[]>;
  skeletonRows: number;
  failureTitle: string;
  empty: ReactNode;
}

/** A table with four states (loading, failed, empty, filled) and "Load more". Below 768 px each row becomes a card. */
export const DataTable = <Row extends Item>(props: DataTableProps<Row>) => {
  const { caption, list, failureTitle, empty } = props;
  const { data: rows, error } = list;
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const isTable = rows ? rows.length > 0 : !error;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        {...focusFallback}
        role="group"
        aria-label={caption}
        // A region that scrolls sideways must be reachable by keyboard.
        tabIndex={isTable ? 0 : -1}
        {...toBusyProps(list, 'overflow-x-auto rounded-control')}
      >
        <Query of={list} failure={failureTitle} loading={<Table {...props} />} empty={empty}>
          {() => <Table {...props} />}
        </Query>
      </div>
      <LoadMoreButton list={list} />
    </>
  );
};

const Table = <Row extends Item>({ caption, columns, list: { data: rows }, skeletonRows }: DataTableProps<Row>) => (
  <table role="table" data-slot="data-table" className="w-full border-collapse text-start text-sm max-md:block">
    <caption className="sr-only">{rows ? caption : `${caption}: ${t('shell.loading')}`}</caption>
    <thead role="rowgroup" className="max-md:sr-only">
      <tr role="row" className="border-b border-border text-muted-foreground">
        {columns.map((column) => (
          <th
            key={column.title}
            role="columnheader"
            scope="col"
            className={cn('h-11 px-3 text-start font-medium whitespace-nowrap', column.className)}
          >
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup" className="max-md:grid max-md:grid-cols-[minmax(0,1fr)] max-md:gap-3">
      {rows
        ? rows.map((row) => <DataRow key={row.id} row={row} columns={columns} />)
        : Array.from({ length: skeletonRows }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are alike and never reordered
            <tr key={index} role="row" data-slot="skeleton-row" className="border-b border-border max-md:block">
              <td role="cell" colSpan={columns.length} className="px-3 py-2.5 max-md:block">
                <Skeleton className="h-11 w-full" />
              </td>
            </tr>
          ))}
    </tbody>
  </table>
);

const DataRow = <Row,>({ row, columns }: { row: Row; columns: Column<Row>[] }) => (
  <tr
    role="row"
    className="border-b border-border last:border-0 max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-4 max-md:gap-y-2 max-md:rounded-control max-md:border max-md:p-3 max-md:last:border"
  >
    {columns.map((column) => (
      <td
        key={column.title}
        role="cell"
        className={cn(
          'px-3 py-2.5 align-middle max-md:min-w-0 max-md:p-0 max-md:wrap-anywhere max-md:first:w-full max-md:last:ms-auto',
          column.className,
        )}
      >
        {column.labelled ? (
          <span aria-hidden="true" className="me-2 inline-block text-muted-foreground md:hidden">
            {column.title}
          </span>
        ) : null}
        {column.cell(row)}
      </td>
    ))}
  </tr>
);

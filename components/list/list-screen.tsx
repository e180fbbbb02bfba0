"use client";

import { type LucideIcon, SearchX } from "lucide-react";
import { lazy, type ReactNode, Suspense, useRef } from "react";
import { CsvLink } from "@/components/data/csv-link";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import type { RowPanel } from "@/components/details/row-panel";
import { FilterBar } from "@/components/list/filter-bar";
import { KeyHints } from "@/components/list/key-hints";
import { ListEnd } from "@/components/list/list-end";
import { ListTotal } from "@/components/list/list-total";
import { NewRows } from "@/components/list/new-rows";
import { type Filters, useFilters } from "@/components/list/use-filters";
import { useHeldRows } from "@/components/list/use-held-rows";
import { type LiveSource, type Paged, useLivePages } from "@/components/list/use-live-pages";
import { useOpenRow } from "@/components/list/use-open-row";
import { moveFocus, useShortcuts } from "@/components/list/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { activeFilters, type FilterValues, type LoadedSearch } from "@/lib/client/filters";
import { queryString } from "@/lib/client/query-string";
import type { ListNoun } from "@/lib/client/total-text";

// Loaded when a row is first opened.
const SidePanel = lazy(async () => ({
  default: (await import("@/components/details/side-panel")).SidePanel,
}));

/** The empty state of a list. */
interface EmptyList {
  icon: LucideIcon;
  /** The title of the empty state, for example "No payment requests yet". */
  title: string;
  /** Why it is empty, and the one thing to do. */
  description: ReactNode;
  action?: ReactNode;
  /** An example, for instance a code snippet. */
  below?: ReactNode;
}

type Rows<Page, Row> = {
  /** The name of the table, for example "Payment requests". */
  label: string;
  noun: ListNoun;
  /** The label of further pages, by default "older" and the noun. */
  further?: string;
  rowsOf: (page: Page) => readonly Row[];
  columns: DataColumn<Row>[];
  rowKey: (row: Row) => string;
  rowHref?: (row: Row) => string;
  /** Opens rows in a side panel, by row key. `rowHref` is then the full page. */
  panel?: (key: string) => RowPanel;
  onRowSelect?: (row: Row) => void;
  selectedKey?: string | undefined;
  live: LiveSource;
  empty: EmptyList;
  /** Content above the list, built from its first page, such as tabs that filter the list. */
  header?: (first: Page, values: FilterValues) => ReactNode;
  /** Replaces the table if the rows don't fit into columns. */
  children?: (rows: readonly Row[]) => ReactNode;
  /** Content above the table, such as totals. Receives the query of the list's API. */
  summary?: (query: Record<string, string>) => ReactNode;
  /** Actions beside the CSV export. */
  actions?: ReactNode;
};

type ListScreenProps<Page, Row> = Rows<Page, Row> & {
  /** The result of `loadSearch`; undefined while the page is loading. Its `id` is the key of the rows. */
  found: LoadedSearch<Page> | undefined;
};

/**
 * The list of every dashboard page: toolbar, active filters, summary, total, CSV export, table, further pages, live
 * updates, the J and K keys, and the empty, no results, invalid filters, out of date and loading states.
 */
export function ListScreen<Page extends Paged, Row>({ found, ...rows }: ListScreenProps<Page, Row>) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {found ? <Loaded found={found} {...rows} /> : <Loading {...rows} />}
    </div>
  );
}

function Loading<Page, Row>({ label, columns, rowKey }: Rows<Page, Row>) {
  return (
    <>
      <Skeleton className="h-8.5 w-full max-w-3xl" />
      <DataTable label={label} columns={columns} rows={[]} rowKey={rowKey} loadingRows={8} />
    </>
  );
}

function Loaded<Page extends Paged, Row>({
  found,
  ...rows
}: Rows<Page, Row> & { found: LoadedSearch<Page> }) {
  const state = useFilters(found.filters, found.values);
  const { page, refusal, ...search } = found;
  const isFiltered = activeFilters(found.filters, found.values, "UTC").length > 0;
  return (
    <>
      <FilterBar label={rows.label} state={state} />
      {refusal && (
        <ErrorNote title="These filters are not valid" code={refusal.code}>
          {refusal.message}
        </ErrorNote>
      )}
      {page && (
        <LiveRows
          {...rows}
          key={found.id}
          state={state}
          isFiltered={isFiltered}
          initial={page}
          api={search.api}
          query={search.query}
        />
      )}
    </>
  );
}

type LiveRowsProps<Page, Row> = Rows<Page, Row> & {
  state: Filters;
  /** Whether the rows were loaded with a filter. */
  isFiltered: boolean;
  initial: Page;
  api: string;
  query: Record<string, string>;
};

function LiveRows<Page extends Paged, Row>({
  state,
  isFiltered,
  initial,
  api,
  query,
  ...screen
}: LiveRowsProps<Page, Row>) {
  const { list, pages } = useLivePages<Page>({ initial, path: api, query, ...screen.live });
  const loaded = pages.flatMap((page) => [...screen.rowsOf(page)]);
  const { shown: rows, held, release } = useHeldRows(loaded, screen.rowKey);
  const table = useRef<HTMLDivElement>(null);
  const move = (by: 1 | -1) => void moveFocus(table.current, by);
  useShortcuts({ j: () => move(1), k: () => move(-1) });
  const { label, columns, rowKey, rowHref, onRowSelect, panel } = screen;
  const row = useOpenRow();
  const selectedKey = screen.selectedKey ?? (panel && row.open !== null ? row.open : undefined);

  return (
    <>
      {screen.header?.(pages[0] ?? initial, state.values)}
      <div className="flex flex-wrap items-end justify-between gap-3 empty:hidden">
        {screen.summary?.(query)}
        {rows.length > 0 && (
          <ListTotal
            noun={screen.noun}
            rows={loaded.length}
            hasMore={list.hasNextPage}
            total={pages[0]?.total}
          />
        )}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-3 empty:hidden">
          {rows.length > 0 && (rowHref || onRowSelect) && <KeyHints />}
          {rows.length > 0 && <CsvLink href={`${api}/csv${queryString(query)}`} />}
          {screen.actions}
        </div>
      </div>
      <NewRows count={held} onShow={release} />
      <div ref={table} className="min-w-0">
        {rows.length > 0 && screen.children ? (
          screen.children(rows)
        ) : (
          <DataTable
            label={label}
            columns={columns}
            rows={rows}
            rowKey={rowKey}
            {...(rowHref && { rowHref })}
            {...(panel && { onRowOpen: (opened: Row) => row.show(rowKey(opened)) })}
            {...(onRowSelect && { onRowSelect })}
            {...(selectedKey !== undefined && { selectedKey })}
            empty={isFiltered ? <NoResults {...screen} onClear={state.clear} /> : <Empty {...screen.empty} />}
          />
        )}
      </div>
      {panel && row.open !== null && (
        <Suspense>
          <SidePanel
            key={row.open}
            {...panel(encodeURIComponent(row.open))}
            label={screen.label}
            onClose={row.close}
          />
        </Suspense>
      )}
      <ListEnd list={list} label={screen.further ?? `older ${screen.noun.many}`} />
    </>
  );
}

function Empty({ below, ...state }: EmptyList) {
  return (
    <>
      <EmptyState {...state} />
      {below && <div className="mx-auto w-full max-w-2xl px-4 pb-8 text-left">{below}</div>}
    </>
  );
}

/** Empty state when no item matches the filters. */
export function NoResults({ noun, onClear }: { noun: ListNoun; onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title={`No ${noun.many} match these filters`}
      description="Clear a filter to see more."
      action={
        <Button variant="outline" size="sm" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  );
}

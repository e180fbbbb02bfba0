import type { MouseEvent, ReactNode } from "react";
import { ROW_TARGET, RowLink } from "@/components/data/row-link";
import { ScrollRegion } from "@/components/data/scroll-region";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { cn } from "@/lib/cn";

export type DataColumn<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** `number` is right-aligned with tabular figures. */
  align?: "start" | "number";
  /** Shows the header to screen readers only, for example above a column of buttons. */
  hideHeader?: boolean;
  className?: string;
};

type DataTableProps<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: DataColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** Makes the row a link. The whole row is clickable; keyboard focus is on the first cell. */
  rowHref?: (row: Row) => string;
  /** With rowHref: a plain click runs this instead, on windows that have room for a panel. Client components only. */
  onRowOpen?: (row: Row) => void;
  /** Like rowHref, for rows that open something in place. Client components only. */
  onRowSelect?: (row: Row) => void;
  /** The key of the open row. */
  selectedKey?: string;
  /** Shown instead of the table when there are no rows. */
  empty?: ReactNode;
  /** Renders this many skeleton rows with the layout of real ones. */
  loadingRows?: number;
  className?: string;
};

// Below 640 px a row becomes a card of label and value pairs. Restyled rows lose their table semantics in some
// browsers, so the roles are explicit.
const stackedRow = "max-sm:flex max-sm:flex-col max-sm:gap-1.5 max-sm:px-4 max-sm:py-3.5";
const stackedCell =
  "max-sm:flex max-sm:min-w-0 max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:p-0 max-sm:first:p-0 max-sm:last:p-0 max-sm:not-first:before:shrink-0 max-sm:not-first:before:text-muted-foreground max-sm:not-first:before:text-xs max-sm:not-first:before:content-[attr(data-label)]";

/** The table of all list pages. Rows can be links or buttons. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, loadingRows, empty, className } = props;
  if (rows.length === 0 && !loadingRows && empty) {
    return <div className={cn("rounded-xl border bg-card shadow-xs", className)}>{empty}</div>;
  }
  return (
    <ScrollRegion
      label={label}
      className={cn("min-w-0 overflow-x-auto rounded-xl border bg-card shadow-xs", className)}
      aria-busy={loadingRows ? true : undefined}
    >
      <Table role="table" aria-label={label} className="max-sm:block">
        <TableHeader role="rowgroup" className="max-sm:sr-only">
          <TableRow role="row" className="bg-muted/60">
            {columns.map((column) => (
              <TableHead
                key={column.key}
                role="columnheader"
                scope="col"
                className={cn(column.align === "number" && "text-right", column.className)}
              >
                {column.hideHeader ? <span className="sr-only">{column.header}</span> : column.header}
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody role="rowgroup" className="max-sm:block">
          {loadingRows ? (
            <LoadingRows columns={columns} count={loadingRows} />
          ) : (
            rows.map((row) => <DataRow key={props.rowKey(row)} row={row} table={props} />)
          )}
        </TableBody>
      </Table>
    </ScrollRegion>
  );
}

function DataRow<Row>({ row, table }: { row: Row; table: DataTableProps<Row> }) {
  const leads = table.rowHref !== undefined || table.onRowSelect !== undefined;
  const selected = table.selectedKey !== undefined && table.rowKey(row) === table.selectedKey;
  return (
    <TableRow
      role="row"
      data-state={selected ? "selected" : undefined}
      className={cn(stackedRow, leads && "relative hover:bg-muted/70")}
    >
      {table.columns.map((column, index) => (
        <TableCell
          key={column.key}
          role="cell"
          data-label={column.hideHeader ? undefined : column.header}
          className={cn(
            stackedCell,
            column.align === "number" && "text-right tabular-nums",
            // Buttons and links in other cells stay above the overlay that makes the row clickable.
            leads && index > 0 && "[&_:is(a,button,time)]:relative [&_:is(a,button,time)]:z-10",
            column.className,
          )}
        >
          {index === 0 ? <RowTarget row={row} table={table} content={column.cell(row)} /> : column.cell(row)}
        </TableCell>
      ))}
    </TableRow>
  );
}

type RowTargetProps<Row> = { row: Row; table: DataTableProps<Row>; content: ReactNode };

function RowTarget<Row>({ row, table, content }: RowTargetProps<Row>) {
  const { rowHref, onRowSelect, onRowOpen } = table;
  if (rowHref) {
    const open = onRowOpen && ((event: MouseEvent) => openInPlace(event, () => onRowOpen(row)));
    return (
      <RowLink href={rowHref(row)} {...(open && { onClick: open })}>
        {content}
      </RowLink>
    );
  }
  if (onRowSelect) {
    return (
      <button type="button" data-row="" onClick={() => onRowSelect(row)} className={ROW_TARGET}>
        {content}
      </button>
    );
  }
  return content;
}

/** Windows that are wide enough for a panel beside a list. */
const PANEL_WINDOW = "(min-width: 40rem)";

/** A click with a modifier opens the link's page in another tab or window, and a narrow window opens the page. */
function openInPlace(event: MouseEvent, open: () => void): void {
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (isModified || !matchMedia(PANEL_WINDOW).matches) return;
  event.preventDefault();
  open();
}

function LoadingRows<Row>({ columns, count }: { columns: DataColumn<Row>[]; count: number }) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <TableRow key={row} role="row" className={stackedRow}>
      {columns.map((column, index) => (
        <TableCell
          key={column.key}
          role="cell"
          data-label={column.hideHeader ? undefined : column.header}
          className={cn(stackedCell, column.className)}
        >
          <Skeleton
            className={cn(
              "my-0.5 h-4",
              index === 0 ? "w-36" : "w-20",
              column.align === "number" && "ml-auto w-12",
            )}
          />
        </TableCell>
      ))}
    </TableRow>
  ));
}

"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import { Grouped } from "@/components/data/grouped";
import { RowLink } from "@/components/data/row-link";
import { ScrollRegion } from "@/components/data/scroll-region";
import { IncompleteNote } from "@/components/home/incomplete-note";
import {
  INITIAL_ORDER,
  LINE_COLUMNS,
  type LineColumn,
  type LineOrder,
  MIN_MESSAGES,
  nextOrder,
  sortLines,
} from "@/components/home/line-columns";
import { RANGE_NAMES } from "@/components/home/range-names";
import { Button } from "@/components/ui/button";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { cn } from "@/lib/cn";
import type { HomeLine, HomeLines } from "@/lib/runtime/dashboard/get-home-lines";

/** Lines that are shown until the user expands the table. */
const COLLAPSED_LINES = 10;

type LinesTableProps = {
  data: HomeLines;
  /** The line of the charts. */
  chosen: string | undefined;
};

/** The figures of each line side by side, sorted by any of them. */
export function LinesTable({ data, chosen }: LinesTableProps) {
  const [order, setOrder] = useState(INITIAL_ORDER);
  const [isExpanded, setExpanded] = useState(false);
  const lines = sortLines(data.lines, order);
  const shown = isExpanded ? lines : lines.slice(0, COLLAPSED_LINES);
  return (
    <section aria-labelledby="by-line" className="relative flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="by-line" className="font-semibold tracking-tight">
          By line
        </h2>
        <p className="text-muted-foreground text-xs">
          {lines.some(({ before }) => before) && `With the change on the ${RANGE_NAMES[data.range]} before. `}
          Times are accurate to a third. – means fewer than {MIN_MESSAGES} messages.
        </p>
      </div>
      {!data.is_complete && <IncompleteNote />}
      <ScrollRegion label="By line" className="min-w-0 overflow-x-auto rounded-xl border bg-card shadow-xs">
        <Table aria-labelledby="by-line">
          <TableHeader>
            <TableRow className="bg-muted/60">
              <SortHead name="line" header="Line" order={order} onSort={setOrder} />
              {LINE_COLUMNS.map(({ key, header }) => (
                <SortHead key={key} name={key} header={header} order={order} onSort={setOrder} isNumber />
              ))}
            </TableRow>
          </TableHeader>
          <TableBody>
            {shown.map((line) => (
              <TableRow
                key={line.id}
                data-state={line.id === chosen ? "selected" : undefined}
                className="relative hover:bg-muted/70"
              >
                <LineHead line={line} />
                {LINE_COLUMNS.map((column) => (
                  <FigureCell key={column.key} column={column} line={line} range={RANGE_NAMES[data.range]} />
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </ScrollRegion>
      {shown.length < lines.length && (
        <Button variant="outline" size="sm" className="w-fit" onClick={() => setExpanded(true)}>
          Show all {lines.length.toLocaleString("en")} lines
        </Button>
      )}
    </section>
  );
}

type SortHeadProps = {
  name: string;
  header: string;
  order: LineOrder;
  onSort: (order: LineOrder) => void;
  isNumber?: boolean;
};

function SortHead({ name, header, order, onSort, isNumber }: SortHeadProps) {
  const isSorted = order.key === name;
  const Arrow = order.direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <TableHead
      scope="col"
      aria-sort={isSorted ? order.direction : undefined}
      className={cn(isNumber && "text-right")}
    >
      <button
        type="button"
        className="inline-flex items-center gap-1 rounded-sm py-1 hover:text-foreground"
        onClick={() => onSort(nextOrder(order, name))}
      >
        {header}
        <Arrow aria-hidden="true" className={cn("size-3", !isSorted && "invisible")} />
      </button>
    </TableHead>
  );
}

function LineHead({ line }: { line: HomeLine }) {
  const { id, label, phone_number: number, is_released: isReleased } = line;
  const name = (
    <>
      {label !== undefined && (
        <>
          <bdi>{label}</bdi>{" "}
        </>
      )}
      <bdi className={cn(label !== undefined && "block font-normal text-muted-foreground text-xs")}>
        <Grouped>{number}</Grouped>
      </bdi>
    </>
  );
  return (
    <th scope="row" className="min-w-36 py-2 pr-3 pl-4 text-left font-medium tabular-nums">
      {isReleased ? (
        <>
          {name} <span className="block font-normal text-muted-foreground text-xs">Released</span>
        </>
      ) : (
        <RowLink href={`/lines/${id}`}>{name}</RowLink>
      )}
    </th>
  );
}

function FigureCell({ column, line, range }: { column: LineColumn; line: HomeLine; range: string }) {
  const value = column.read(line.total);
  if (value === null) {
    return (
      <TableCell className="text-right text-muted-foreground">
        <span aria-hidden="true">–</span>
        <span className="sr-only">fewer than {MIN_MESSAGES} messages</span>
      </TableCell>
    );
  }
  const changed = line.before ? column.change(value, column.read(line.before)) : null;
  return (
    <TableCell className="text-right tabular-nums">
      {column.format(value)}
      {changed !== null && (
        <>
          {" "}
          <span className="block whitespace-nowrap text-muted-foreground text-xs">
            {changed}
            <span className="sr-only"> on the {range} before</span>
          </span>
        </>
      )}
    </TableCell>
  );
}

import {
  deliveryRate,
  failureRate,
  formatChange,
  formatDuration,
  formatPoints,
  formatShare,
} from "@/components/home/format-figures";
import { attempted } from "@/lib/client/attempted";
import type { HomeLine } from "@/lib/runtime/dashboard/get-home-lines";
import type { LineFigures } from "@/lib/runtime/dashboard/home-figures";

/** Shares and times of fewer messages say nothing about a line. */
export const MIN_MESSAGES = 10;

export interface LineColumn {
  key: string;
  header: string;
  /** null when there are not enough messages. */
  read: (figures: LineFigures) => number | null;
  format: (value: number) => string;
  /** How the value differs from that of the range before. */
  change: (now: number | null, before: number | null) => string | null;
  /** The order of the first click: the worst, or the most, first. */
  firstDirection: "ascending" | "descending";
}

/** The columns of figures of the table by line. */
export const LINE_COLUMNS: readonly LineColumn[] = [
  counted("sent", "Sent", ({ sent }) => sent),
  {
    key: "delivered",
    header: "Delivered",
    read: (figures) => ifEnough(attempted(figures), deliveryRate(figures)),
    format: formatShare,
    change: formatPoints,
    firstDirection: "ascending",
  },
  {
    key: "failed",
    header: "Failed",
    read: (figures) => ifEnough(attempted(figures), failureRate(figures)),
    format: formatShare,
    change: formatPoints,
    firstDirection: "descending",
  },
  {
    key: "median",
    header: "Median time",
    read: ({ delivered, delivery_p50_ms: ms }) => ifEnough(delivered, ms),
    format: formatDuration,
    change: noChange,
    firstDirection: "descending",
  },
  {
    key: "p95",
    header: "95th percentile",
    read: ({ delivered, delivery_p95_ms: ms }) => ifEnough(delivered, ms),
    format: formatDuration,
    change: noChange,
    firstDirection: "descending",
  },
  counted("received", "Received", ({ received }) => received),
  counted("opted_out", "Opt-outs", ({ opted_out }) => opted_out),
];

export interface LineOrder {
  /** "line" or the key of a column. */
  key: string;
  direction: "ascending" | "descending";
}

/** By line: the order of the list. */
export const INITIAL_ORDER: LineOrder = { key: "line", direction: "ascending" };

/** The order after a click on a column: its first order, or the opposite when the table has that. */
export function nextOrder(order: LineOrder, key: string): LineOrder {
  const first = LINE_COLUMNS.find((column) => column.key === key)?.firstDirection ?? "ascending";
  if (order.key !== key || order.direction !== first) return { key, direction: first };
  return { key, direction: first === "ascending" ? "descending" : "ascending" };
}

/** The lines in an order. Lines without a value are last in both directions; equal lines keep their order. */
export function sortLines(lines: readonly HomeLine[], { key, direction }: LineOrder): HomeLine[] {
  const column = LINE_COLUMNS.find((each) => each.key === key);
  if (column === undefined) return direction === "ascending" ? [...lines] : lines.toReversed();
  const sign = direction === "ascending" ? 1 : -1;
  return lines.toSorted((one, other) => {
    const [left, right] = [column.read(one.total), column.read(other.total)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}

function counted(key: string, header: string, read: (figures: LineFigures) => number): LineColumn {
  return {
    key,
    header,
    read,
    format: (value) => value.toLocaleString("en"),
    change: formatChange,
    firstDirection: "descending",
  };
}

// Times of lines are accurate to a third, so most of a change would be rounding.
function noChange(): null {
  return null;
}

function ifEnough(messages: number, value: number | null): number | null {
  return messages < MIN_MESSAGES ? null : value;
}

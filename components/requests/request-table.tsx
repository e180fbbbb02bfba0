import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { Timestamp } from "@/components/data/timestamp";
import { formatLatency } from "@/components/requests/format-latency";
import { StatusCode } from "@/components/requests/status-code";
import type { LoggedRequest } from "@/lib/request-log/api-request";

const columns: DataColumn<LoggedRequest>[] = [
  {
    key: "request",
    header: "Request",
    className: "sm:max-w-64 lg:max-w-80 xl:max-w-128",
    cell: ({ method, path }) => (
      <span className="block min-w-0 font-mono text-xs sm:truncate" title={path}>
        <span className="mr-2 font-semibold">{method}</span>
        <span className="font-normal max-sm:wrap-anywhere">{path}</span>
      </span>
    ),
  },
  {
    key: "status",
    header: "Answer",
    cell: ({ status, error_code }) => <StatusCode status={status} errorCode={error_code} />,
  },
  {
    key: "latency",
    header: "Latency",
    align: "number",
    className: "whitespace-nowrap",
    cell: ({ latency_ms }) => formatLatency(latency_ms),
  },
  {
    key: "line",
    header: "Line",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ line }) => line ?? <None />,
  },
  {
    key: "token",
    header: "Token",
    className: "max-lg:hidden",
    cell: ({ token }) => <span className="block max-w-40 truncate">{token.name ?? <None />}</span>,
  },
  { key: "time", header: "Time", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

type RequestTableProps = { requests: LoggedRequest[]; empty?: ReactNode; loadingRows?: number };

/** Logged requests as rows that lead to their details. */
export function RequestTable({ requests, ...rest }: RequestTableProps) {
  return (
    <DataTable
      label="Requests"
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/requests/${id}`}
      {...rest}
    />
  );
}

function None() {
  return (
    <span className="text-muted-foreground">
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </span>
  );
}

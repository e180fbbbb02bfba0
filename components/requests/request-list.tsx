"use client";

import { SquareTerminal } from "lucide-react";
import type { DataColumn } from "@/components/data/data-table";
import { None } from "@/components/data/none";
import { Timestamp } from "@/components/data/time/timestamp";
import { ListScreen } from "@/components/list/list-screen";
import { formatLatency } from "@/components/requests/format-latency";
import { StatusCode } from "@/components/requests/status-code";
import type { LoadedSearch } from "@/lib/client/filters";
import type { ListTotal } from "@/lib/platform/lists/total-of";
import type { LoggedRequest } from "@/lib/request-log/search/api-request";

const LOOK_MS = 5000;

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
    header: "Status",
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

type RequestListProps = {
  found?: LoadedSearch<{ requests: LoggedRequest[]; next_cursor: string | null; total: ListTotal }>;
};

/** The request log of the account. */
export function RequestList({ found }: RequestListProps) {
  return (
    <ListScreen
      found={found}
      label="Requests"
      noun={{ one: "request", many: "requests" }}
      rowsOf={(page) => page.requests}
      columns={columns}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/requests/${id}`}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: SquareTerminal,
        title: "No requests yet",
        description:
          "API requests made with this account's tokens appear here about a second after the response. Send a request to see the first one.",
      }}
    />
  );
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { SearchX, SquareTerminal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { CsvLink } from "@/components/data/csv-link";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { RequestTable } from "@/components/requests/request-table";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { LoggedRequest } from "@/lib/request-log/api-request";

type RequestPage = { requests: LoggedRequest[]; next_cursor: string | null };

type RequestsViewProps = {
  initial: RequestPage;
  /** As GET /api/requests takes it: fixed while the page is open, so that its pages fit together. */
  query: Record<string, string>;
};

/** The log as it was when the page came, and older requests on demand. */
export function RequestsView({ initial, query }: RequestsViewProps) {
  const [page, setPage] = useState(initial);
  const older = useMutation<RequestPage, ApiFailure>({
    mutationFn: () => apiFetch(`/api/requests${queryString({ ...query, cursor: page.next_cursor })}`),
    onSuccess: (next) => setPage((shown) => ({ ...next, requests: [...shown.requests, ...next.requests] })),
  });

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex justify-end">
        <CsvLink href={`/api/requests/csv${queryString(query)}`} />
      </div>
      <RequestTable
        requests={page.requests}
        empty={<NoRequests filtered={Object.keys(query).length > 0} />}
      />
      {older.error && (
        <ErrorNote
          title="Older requests could not be loaded"
          code={older.error.code}
          traceId={older.error.traceId}
          onRetry={() => older.mutate()}
        >
          {older.error.message}
        </ErrorNote>
      )}
      <LoadMore
        hasMore={page.next_cursor !== null}
        isLoading={older.isPending}
        onLoadMore={() => older.mutate()}
        label="older requests"
      />
    </div>
  );
}

function NoRequests({ filtered }: { filtered: boolean }): ReactNode {
  if (filtered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No such request"
        description="Nothing in the log fits these filters. A request appears about a second after its answer."
      />
    );
  }
  return (
    <EmptyState
      icon={SquareTerminal}
      title="No request yet"
      description="Every call of the API with a token of this account appears here about a second after its answer."
    />
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { Phone } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { PageHeader } from "@/components/data/page-header";
import { filterLines, type LineFilter } from "@/components/lines/line-filter";
import { LineFilters } from "@/components/lines/line-filters";
import { LineTable } from "@/components/lines/line-table";
import { linesKey } from "@/components/lines/lines-key";
import { PageBody } from "@/components/shell/page-body";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineSettings } from "@/lib/lines/lines/list-line-settings";

type LinesViewProps = { initial: LineSettings[]; filter: LineFilter };

const LOOK_MS = 30_000;

/** The account's lines and how they do. */
export function LinesView({ initial, filter }: LinesViewProps) {
  const { data, error, refetch } = useQuery<{ lines: LineSettings[] }, ApiFailure>({
    queryKey: linesKey,
    queryFn: ({ signal }) => apiFetch("/api/lines", { signal }),
    initialData: { lines: initial },
    refetchInterval: LOOK_MS,
  });

  return (
    <PageBody>
      <PageHeader
        title="Lines"
        description="The numbers messages are sent from. A line's reputation comes from the health of its chats."
      />
      <FailureNote title="The list may be out of date" failure={error} onRetry={() => void refetch()} />
      {data.lines.length > 0 && <LineFilters filter={filter} />}
      <LineTable
        lines={filterLines(data.lines, filter)}
        empty={data.lines.length === 0 ? <NoLine /> : <NoneFits />}
      />
    </PageBody>
  );
}

function NoLine() {
  return (
    <EmptyState
      icon={Phone}
      title="No line yet"
      description="A line is the number messages are sent from. Your operator adds one to the account: npm run admin -- add-line."
    />
  );
}

function NoneFits() {
  return (
    <EmptyState
      icon={Phone}
      title="No line fits"
      description="None of the account's lines fits these filters. Clear them to see all."
    />
  );
}

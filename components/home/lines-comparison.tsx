import type { UseQueryResult } from "@tanstack/react-query";
import { ErrorNote } from "@/components/data/error-note";
import { LinesTable } from "@/components/home/lines-table";
import type { ApiFailure } from "@/lib/client/api-fetch";
import type { HomeLines } from "@/lib/runtime/dashboard/get-home-lines";

type LinesComparisonProps = {
  query: UseQueryResult<HomeLines, ApiFailure>;
  /** The line of the charts. */
  chosen: string | undefined;
};

/** The comparison of lines once it is loaded. The rest of Home doesn't wait for it, and stays when it can't be loaded. */
export function LinesComparison({ query: { data, error, refetch }, chosen }: LinesComparisonProps) {
  return (
    <>
      {error && (
        <ErrorNote
          title={
            data === undefined ? "The lines could not be compared" : "The figures by line may be out of date"
          }
          code={error.code}
          traceId={error.traceId}
          onRetry={() => void refetch()}
        >
          {error.message}
        </ErrorNote>
      )}
      {data && data.lines.length > 0 && <LinesTable data={data} chosen={chosen} />}
    </>
  );
}

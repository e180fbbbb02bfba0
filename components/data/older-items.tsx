import type { UseMutationResult } from "@tanstack/react-query";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import type { ApiFailure } from "@/lib/client/api-fetch";

type OlderItemsProps = {
  hasMore: boolean;
  /** What there is more of, as in "older payments". */
  label: string;
  older: Pick<UseMutationResult<unknown, ApiFailure, void>, "error" | "isPending" | "mutate">;
};

/** Below a list: asks for what is older, and says when that did not work. */
export function OlderItems({ hasMore, label, older }: OlderItemsProps) {
  return (
    <>
      {older.error && (
        <ErrorNote
          title={`The ${label} could not be loaded`}
          code={older.error.code}
          traceId={older.error.traceId}
          onRetry={() => older.mutate()}
        >
          {older.error.message}
        </ErrorNote>
      )}
      <LoadMore
        hasMore={hasMore}
        isLoading={older.isPending}
        onLoadMore={() => older.mutate()}
        label={label}
      />
    </>
  );
}

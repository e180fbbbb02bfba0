import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { FailureNote } from "@/components/data/failure-note";
import { LoadMore } from "@/components/data/load-more";
import type { ApiFailure } from "@/lib/client/api-fetch";

type ListEndProps = {
  list: Pick<
    UseInfiniteQueryResult<unknown, ApiFailure>,
    "error" | "fetchNextPage" | "hasNextPage" | "isFetchingNextPage" | "refetch"
  >;
  /** The items to load, for example "older payments". */
  label: string;
};

/** The end of a live list: loads older items, and warns when the list may be out of date. */
export function ListEnd({ list, label }: ListEndProps) {
  return (
    <>
      <FailureNote
        title="This list may be out of date"
        failure={list.error}
        onRetry={() => void list.refetch()}
      />
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
        label={label}
      />
    </>
  );
}

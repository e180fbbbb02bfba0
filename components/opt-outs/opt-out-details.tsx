"use client";

import { useQuery } from "@tanstack/react-query";
import { HandleLink } from "@/components/customers/handle-link";
import { ErrorNote } from "@/components/data/error-note";
import { OptInDialog } from "@/components/opt-outs/opt-in-dialog";
import { OptOutEpisode } from "@/components/opt-outs/opt-out-episode";
import { optOutsKey } from "@/components/opt-outs/opt-outs-key";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

type OptOutDetailsProps = { handle: string; mayDecide: boolean; onClose: () => void };

/** The opt-out history of a handle, newest first, with the evidence for each opt-out. */
export function OptOutDetails({ handle, mayDecide, onClose }: OptOutDetailsProps) {
  const history = useQuery<{ opt_outs: OptOut[] }, ApiFailure>({
    queryKey: [...optOutsKey, "history", handle],
    queryFn: ({ signal }) =>
      apiFetch(`/api/opt-outs${queryString({ state: "all", handle, limit: 100 })}`, { signal }),
  });
  const optOuts = history.data?.opt_outs ?? [];
  const open = optOuts.some(({ ended_at }) => ended_at === null);
  return (
    <Sheet open onOpenChange={(next) => !next && onClose()}>
      <SheetContent className="overflow-y-auto pb-6">
        <SheetHeader>
          <SheetTitle className="wrap-anywhere tabular-nums">
            <HandleLink handle={handle} />
          </SheetTitle>
          <SheetDescription>
            Every opt-out of this person and every send that overrode it, newest first.
          </SheetDescription>
        </SheetHeader>
        <div className="flex flex-col gap-4 px-5">
          {history.error && (
            <ErrorNote
              title="The opt-out history could not be loaded"
              code={history.error.code}
              traceId={history.error.traceId}
              onRetry={() => void history.refetch()}
            >
              {history.error.message}
            </ErrorNote>
          )}
          {history.isPending && <Skeleton className="h-40 w-full rounded-xl" />}
          {open && mayDecide && <OptInDialog handle={handle} />}
          <ol className="flex flex-col gap-3">
            {optOuts.map((optOut) => (
              <li key={optOut.id}>
                <OptOutEpisode optOut={optOut} />
              </li>
            ))}
          </ol>
        </div>
      </SheetContent>
    </Sheet>
  );
}

"use client";

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { CheckCheck } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { LoadMore } from "@/components/data/load-more";
import { NearMiss } from "@/components/opt-outs/near-miss";
import { optOutsKey } from "@/components/opt-outs/opt-outs-key";
import { useDecisionKeys } from "@/components/opt-outs/use-decision-keys";
import { Kbd } from "@/components/ui/kbd";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { OptOutHint } from "@/lib/recipients/opt-outs/list-hints";

type HintPage = { hints: OptOutHint[]; next_cursor: string | null };
type Decision = { hint: OptOutHint; decision: "opted_out" | "dismissed" };

/** What is to be decided, one after the other, with the mouse or the keyboard. */
export function NearMisses({ initial, mayDecide }: { initial: HintPage; mayDecide: boolean }) {
  const list = useHints(initial);
  const hints = list.data ?? [];
  const [place, setPlace] = useState(0);
  const current = hints[Math.min(place, hints.length - 1)];
  const decide = useDecide();

  function settle(decision: Decision["decision"]): void {
    if (mayDecide && current && !decide.isPending) decide.mutate({ hint: current, decision });
  }

  useDecisionKeys({
    onMove: (by) => setPlace((at) => Math.max(0, Math.min(hints.length - 1, at + by))),
    onOptOut: () => settle("opted_out"),
    onDismiss: () => settle("dismissed"),
  });

  if (hints.length === 0) return <NothingToDecide />;
  const failure = decide.error ?? list.error;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <FailureNote title="That did not work" failure={failure} />
      {mayDecide ? <Keys /> : <p className="text-muted-foreground">Your role can read these, not decide.</p>}
      <ol className="flex flex-col gap-3">
        {hints.map((hint) => (
          <li key={hint.id}>
            <NearMiss
              hint={hint}
              current={mayDecide && hint.id === current?.id}
              deciding={decide.isPending}
              onDecide={mayDecide ? (decision) => decide.mutate({ hint, decision }) : undefined}
            />
          </li>
        ))}
      </ol>
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
        label="older messages"
      />
    </div>
  );
}

function useHints(initial: HintPage) {
  return useInfiniteQuery<HintPage, ApiFailure, OptOutHint[], unknown[], string | null>({
    queryKey: [...optOutsKey, "hints"],
    queryFn: ({ pageParam, signal }) =>
      apiFetch(`/api/opt-outs/hints${queryString({ cursor: pageParam })}`, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    select: ({ pages }) => pages.flatMap((page) => page.hints),
    refetchInterval: 15_000,
  });
}

function useDecide() {
  const queryClient = useQueryClient();
  return useMutation<void, ApiFailure, Decision>({
    mutationFn: ({ hint, decision }) =>
      apiFetch(`/api/opt-outs/hints/${hint.id}`, { method: "POST", body: { decision } }),
    onSuccess: (_, { hint, decision }) => {
      toast.success(decision === "opted_out" ? `${hint.handle} is opted out` : "Dismissed");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: optOutsKey }),
  });
}

function Keys() {
  return (
    <p className="flex items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden max-sm:hidden">
      <Kbd>J</Kbd> <Kbd>K</Kbd> walk, <Kbd>O</Kbd> opt out, <Kbd>D</Kbd> dismiss
    </p>
  );
}

function NothingToDecide() {
  return (
    <div className="rounded-xl border bg-card shadow-xs">
      <EmptyState
        icon={CheckCheck}
        title="Nothing to decide"
        description="Messages such as “Stop” or “stop please” wait here until somebody decides what they meant."
      />
    </div>
  );
}

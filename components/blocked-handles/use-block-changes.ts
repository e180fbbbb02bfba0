"use client";

import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import { blocksKey } from "@/components/blocked-handles/blocks-key";
import { toast } from "@/components/data/toast";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { BlockedHandleView } from "@/lib/recipients/blocks/list-blocked-handle-views";

type Pages = InfiniteData<{ blocks: BlockedHandleView[] }>;

/** A block without the details that an undone change loses. */
type Blocked = Pick<BlockedHandleView, "handle" | "reason">;

/** Blocks and unblocks handles. Each toast undoes the change, and an unblocked handle leaves the list at once. */
export function useBlockChanges() {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries();

  async function store({ handle, reason }: Blocked): Promise<void> {
    await apiFetch("/api/blocked-handles", { method: "POST", body: { handle, reason } });
  }

  const block = useMutation<void, ApiFailure, Blocked>({
    mutationFn: store,
    onSuccess: (_, { handle, reason }) => {
      const action = { label: "Undo", onClick: () => unblock.mutate({ handle, reason }) };
      toast.success(`${handle} blocked`, { action });
    },
    onError: ({ message }) => {
      toast.error(message);
    },
    onSettled: refresh,
  });

  const unblock = useMutation<void, ApiFailure, Blocked, [readonly unknown[], Pages | undefined][]>({
    mutationFn: ({ handle }) => apiFetch("/api/blocked-handles", { method: "DELETE", body: { handle } }),
    onMutate: async ({ handle }) => {
      const queryKey = [...blocksKey, "list"];
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueriesData<Pages>({ queryKey });
      queryClient.setQueriesData<Pages>({ queryKey }, (known) => known && without(known, handle));
      return before;
    },
    onSuccess: (_, { handle, reason }) => {
      const action = { label: "Undo", onClick: () => block.mutate({ handle, reason }) };
      toast.success(`${handle} unblocked`, { action });
    },
    onError: ({ message }, _, before) => {
      for (const [queryKey, pages] of before ?? []) queryClient.setQueryData(queryKey, pages);
      toast.error(message);
    },
    onSettled: refresh,
  });

  return { block, unblock };
}

function without(known: Pages, handle: string): Pages {
  return {
    ...known,
    pages: known.pages.map((page) => ({
      ...page,
      blocks: page.blocks.filter((block) => block.handle !== handle),
    })),
  };
}

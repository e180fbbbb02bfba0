"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "@/components/data/toast";
import { HINTS_PATH } from "@/components/opt-outs/hints-path";
import { optOutsKey } from "@/components/opt-outs/opt-outs-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { OptOutHint } from "@/lib/recipients/opt-outs/list-hints";

export type Decision = { hint: OptOutHint; decision: "opted_out" | "dismissed" };

/** Opts the sender of a near miss out, or dismisses it. The toast undoes the decision. */
export function useHintDecision() {
  const queryClient = useQueryClient();

  async function refresh(): Promise<void> {
    const queryKeys = [optOutsKey, [HINTS_PATH], ["send-blockers"], ["conversations"], ["customer"]];
    await Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  }

  const undo = useMutation<void, ApiFailure, OptOutHint>({
    mutationFn: ({ id }) => apiFetch(`/api/opt-outs/hints/${id}`, { method: "DELETE" }),
    onSuccess: () => {
      toast.success("Decision undone");
    },
    onError: ({ message }) => {
      toast.error(message);
    },
    onSettled: refresh,
  });

  return useMutation<void, ApiFailure, Decision>({
    mutationFn: ({ hint, decision }) =>
      apiFetch(`/api/opt-outs/hints/${hint.id}`, { method: "POST", body: { decision } }),
    onSuccess: (_, { hint, decision }) => {
      const action = { label: "Undo", onClick: () => undo.mutate(hint) };
      toast.success(decision === "opted_out" ? `${hint.handle} opted out` : "Message dismissed", { action });
    },
    onSettled: refresh,
  });
}

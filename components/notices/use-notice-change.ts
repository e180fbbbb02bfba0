"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "@/components/data/toast";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Notice } from "@/lib/identity/notices/notice";

export const NOTICES_PATH = "/api/notices";

type Change = { notice: Notice; method: "DELETE" | "PUT" };

/** Dismisses a notice for the user, with an undo, or shows it again. */
export function useNoticeChange() {
  const queryClient = useQueryClient();
  const change = useMutation<void, ApiFailure, Change>({
    mutationFn: ({ notice, method }) =>
      method === "DELETE"
        ? apiFetch(`/api/notices/${notice.id}`, { method: "DELETE" })
        : apiFetch(`/api/notices/${notice.id}`, { method: "PUT" }),
    onSuccess: (_, { notice, method }) => {
      if (method === "PUT") return;
      toast.success("Notice dismissed", {
        description: notice.title,
        action: { label: "Undo", onClick: () => change.mutate({ notice, method: "PUT" }) },
      });
    },
    onError: ({ message }) => toast.error("The notice did not change", { description: message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [NOTICES_PATH] }),
  });
  return {
    isPending: change.isPending,
    dismiss: (notice: Notice) => change.mutate({ notice, method: "DELETE" }),
    restore: (notice: Notice) => change.mutate({ notice, method: "PUT" }),
  };
}

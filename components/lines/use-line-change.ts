"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "@/components/data/toast";
import { linesKey } from "@/components/lines/lines-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type Changes = {
  label?: string | null;
  forwarding_number?: string | null;
  rcs?: boolean;
  attachment_tier?: "persistent" | "ephemeral" | null;
};

/** Changes a line's settings and refetches every query about lines. */
export function useLineChange(id: string, said: string) {
  const queryClient = useQueryClient();
  return useMutation<unknown, ApiFailure, Changes>({
    mutationFn: (body) => apiFetch(`/api/lines/${id}`, { method: "PATCH", body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: linesKey });
      toast.success(said);
    },
  });
}

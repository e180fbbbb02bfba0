"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "@/components/data/toast";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { AccountOptions } from "@/lib/identity/accounts/account-options";

/** The query key of the account's options. */
export const optionsKey = ["account-options"];

/** The account's current options. */
export function useOptions(initial: AccountOptions) {
  return useQuery<AccountOptions, ApiFailure>({
    queryKey: optionsKey,
    queryFn: ({ signal }) => apiFetch("/api/account/options", { signal }),
    initialData: initial,
    refetchInterval: 30_000,
  });
}

/** Changes options. Changes apply immediately. */
export function useOptionsChange() {
  const queryClient = useQueryClient();
  return useMutation<AccountOptions, ApiFailure, Partial<AccountOptions>>({
    mutationFn: (body) => apiFetch("/api/account/options", { method: "PATCH", body }),
    onSuccess: (options) => {
      queryClient.setQueryData(optionsKey, options);
      toast.success("Settings saved");
    },
  });
}

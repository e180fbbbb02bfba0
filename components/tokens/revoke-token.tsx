"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ConfirmAction } from "@/components/data/confirm-action";
import { tokensKey } from "@/components/tokens/tokens-key";
import { apiFetch } from "@/lib/client/api-fetch";
import type { ApiToken } from "@/lib/identity/tokens/api-token";

/** Ends a token for good, once the reader has confirmed it. */
export function RevokeToken({ token }: { token: ApiToken }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      label="Revoke"
      name={`Revoke ${token.name}`}
      icon={null}
      title={`Revoke “${token.name}”?`}
      description="Programs that use it are refused from their next request on. This cannot be undone."
      confirm="Revoke token"
      keep="Keep it"
      done={`“${token.name}” was revoked`}
      failed="The token still works"
      action={async () => {
        await apiFetch(`/api/tokens/${token.id}`, { method: "DELETE" });
        await queryClient.invalidateQueries({ queryKey: tokensKey });
      }}
    />
  );
}

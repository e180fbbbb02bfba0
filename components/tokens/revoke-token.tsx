"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { tokensKey } from "@/components/tokens/tokens-key";
import { apiFetch } from "@/lib/client/api-fetch";
import type { ApiToken } from "@/lib/identity/tokens/api-token";

/** Revokes a token permanently after a confirmation. */
export function RevokeToken({ token }: { token: ApiToken }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      needsName
      label="Revoke"
      name={`Revoke ${token.name}`}
      icon={null}
      title={`Revoke “${token.name}”?`}
      description="Programs that use this token fail with 401 from their next request. You can't undo this."
      confirm="Revoke token"
      keep="Keep token"
      done={`“${token.name}” was revoked`}
      failed="The token was not revoked"
      action={async () => {
        await apiFetch(`/api/tokens/${token.id}`, { method: "DELETE" });
        await queryClient.invalidateQueries({ queryKey: tokensKey });
      }}
    />
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { formatMoment } from "@/components/data/time/format-time";
import { toast } from "@/components/data/toast";
import { TokenForm } from "@/components/tokens/token-form";
import {
  EXPIRIES,
  type Expiry,
  type TokenDraft,
  type TokenLimits,
} from "@/components/tokens/token-limit-fields";
import { tokensKey } from "@/components/tokens/tokens-key";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ApiToken } from "@/lib/identity/tokens/api-token";

export type EditTokenProps = { token: ApiToken };

/** Changes the name, expiry, scopes and allowed IP addresses of a token. The secret stays the same. */
export function EditToken({ token, trigger }: EditTokenProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const edit = useMutation<ApiToken, ApiFailure, TokenLimits>({
    mutationFn: (body) => apiFetch(`/api/tokens/${token.id}`, { method: "PATCH", body }),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries({ queryKey: tokensKey });
      onOpenChange(false);
      toast.success(`“${name}” was changed`);
    },
  });
  const [open, onOpenChange] = useFreshDialog(edit.reset, true);

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-xl">
        <TokenForm
          title={`Edit “${token.name}”`}
          description="Changes apply from the token's next request."
          failureTitle="The token was not changed"
          submitLabel="Save"
          initial={draftOf(token)}
          expiries={expiriesOf(token)}
          pending={edit.isPending}
          failure={edit.error}
          onSubmit={(limits) => edit.mutate(limits)}
        />
      </DialogContent>
    </Dialog>
  );
}

function draftOf({ name, expires_at, scopes, allowed_addresses: addresses }: ApiToken): TokenDraft {
  return {
    name,
    expiry: expires_at === null ? "never" : "keep",
    isRestricted: scopes.length > 0,
    scopes,
    addresses: addresses.join(", "),
  };
}

function expiriesOf({ expires_at }: ApiToken): readonly Expiry[] {
  if (expires_at === null) return EXPIRIES;
  return [{ value: "keep", label: `On ${formatMoment(Date.parse(expires_at))}` }, ...EXPIRIES];
}

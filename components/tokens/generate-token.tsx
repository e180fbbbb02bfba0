"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { SecretDialog } from "@/components/data/dialogs/secret-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import type { SnippetContext } from "@/components/snippets/snippet-context";
import { GENERATE_PARAM } from "@/components/tokens/generate-param";
import { TokenForm } from "@/components/tokens/token-form";
import { EXPIRIES, type TokenDraft, type TokenLimits } from "@/components/tokens/token-limit-fields";
import { type GeneratedToken, shownToken, TokenReveal } from "@/components/tokens/token-reveal";
import { tokensKey } from "@/components/tokens/tokens-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const BLANK: TokenDraft = { name: "", expiry: "never", isRestricted: false, scopes: [], addresses: "" };

export type GenerateTokenProps = { start: SnippetContext };

/** Asks for a name and limits, then shows the new token once. */
export function GenerateToken({ start, trigger }: GenerateTokenProps & LoadedPopup) {
  const [open, setOpen] = useOpen();
  const queryClient = useQueryClient();
  const generate = useMutation<GeneratedToken, ApiFailure, TokenLimits>({
    mutationFn: (body) => apiFetch("/api/tokens", { method: "POST", body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensKey }),
  });

  function onOpenChange(next: boolean): void {
    setOpen(next);
    if (next) generate.reset();
  }

  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      secret={generate.data ? shownToken(generate.data.token) : null}
      className="sm:max-w-xl"
    >
      {generate.data ? (
        <TokenReveal generated={generate.data} start={start} onDone={() => onOpenChange(false)} />
      ) : (
        <TokenForm
          title="Generate an API token"
          description="A token acts for this account through the API."
          failureTitle="No token was generated"
          submitLabel="Generate"
          initial={BLANK}
          expiries={EXPIRIES}
          pending={generate.isPending}
          failure={generate.error}
          onSubmit={(chosen) => generate.mutate(chosen)}
        />
      )}
    </SecretDialog>
  );
}

/** Closing the dialog of `/tokens?generate` removes the parameter. */
function useOpen(): [boolean, (open: boolean) => void] {
  const asked = useSearchParams().has(GENERATE_PARAM);
  const router = useRouter();
  const pathname = usePathname();
  const [open, setOpen] = useState(true);

  function set(next: boolean): void {
    setOpen(next);
    if (!next && asked) router.replace(pathname, { scroll: false });
  }

  return [open || asked, set];
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import type { SnippetContext } from "@/components/snippets/snippet-context";
import { TokenForm } from "@/components/tokens/token-form";
import { EXPIRIES, type TokenDraft, type TokenLimits } from "@/components/tokens/token-limit-fields";
import { type GeneratedToken, TokenReveal } from "@/components/tokens/token-reveal";
import { tokensKey } from "@/components/tokens/tokens-key";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const BLANK: TokenDraft = { name: "", expiry: "never", isRestricted: false, scopes: [], addresses: "" };

/** Asks for a name and limits, then shows the new token once. `/tokens?generate` opens the dialog. */
export function GenerateToken({ start }: { start: SnippetContext }) {
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
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>
        <Button>
          <Plus />
          Generate token
        </Button>
      </DialogTrigger>
      <DialogContent
        className="sm:max-w-xl"
        onInteractOutside={(event) => generate.data && event.preventDefault()}
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
      </DialogContent>
    </Dialog>
  );
}

function useOpen(): [boolean, (open: boolean) => void] {
  const asked = useSearchParams().has("generate");
  const router = useRouter();
  const pathname = usePathname();
  const [open, setOpen] = useState(false);

  function set(next: boolean): void {
    setOpen(next);
    if (!next && asked) router.replace(pathname, { scroll: false });
  }

  return [open || asked, set];
}

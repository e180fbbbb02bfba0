"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ErrorNote } from "@/components/data/error-note";
import { tokensKey } from "@/components/tokens/tokens-key";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
  AlertDialogTrigger,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ApiToken } from "@/lib/tokens/api-token";

/** Ends a token for good, once the reader has confirmed it. */
export function RevokeToken({ token }: { token: ApiToken }) {
  const [open, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const revoke = useMutation<void, ApiFailure>({
    mutationFn: () => apiFetch(`/api/tokens/${token.id}`, { method: "DELETE" }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: tokensKey });
      setOpen(false);
      toast.success(`“${token.name}” was revoked`);
    },
  });

  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger asChild>
        <Button variant="outline" size="sm">
          Revoke<span className="sr-only"> {token.name}</span>
        </Button>
      </AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>Revoke “{token.name}”?</AlertDialogTitle>
          <AlertDialogDescription>
            Programs that use it are refused from their next request on. This cannot be undone.
          </AlertDialogDescription>
        </AlertDialogHeader>
        {revoke.error && (
          <ErrorNote title="The token still works" code={revoke.error.code} traceId={revoke.error.traceId}>
            {revoke.error.message}
          </ErrorNote>
        )}
        <AlertDialogFooter>
          <AlertDialogCancel>Keep it</AlertDialogCancel>
          <Button variant="destructive" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
            {revoke.isPending && <Spinner />}
            Revoke token
          </Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ErrorNote } from "@/components/data/error-note";
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

/** Ends a block, once the reader has confirmed it. */
export function UnblockHandle({ handle }: { handle: string }) {
  const [open, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const unblock = useMutation<void, ApiFailure>({
    mutationFn: () => apiFetch("/api/blocked-handles", { method: "DELETE", body: { handle } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      setOpen(false);
      toast.success(`${handle} is no longer blocked`);
    },
  });

  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger asChild>
        <Button variant="outline" size="sm">
          Unblock<span className="sr-only"> {handle}</span>
        </Button>
      </AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>Unblock {handle}?</AlertDialogTitle>
          <AlertDialogDescription>
            What they write arrives again from now on, and they can be messaged. What was dropped meanwhile is
            lost.
          </AlertDialogDescription>
        </AlertDialogHeader>
        {unblock.error && (
          <ErrorNote title="They are still blocked" code={unblock.error.code} traceId={unblock.error.traceId}>
            {unblock.error.message}
          </ErrorNote>
        )}
        <AlertDialogFooter>
          <AlertDialogCancel>Keep the block</AlertDialogCancel>
          <Button disabled={unblock.isPending} onClick={() => unblock.mutate()}>
            {unblock.isPending && <Spinner />}
            Unblock
          </Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}

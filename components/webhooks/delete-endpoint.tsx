"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
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
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

/** Ends an endpoint for good, once the reader has confirmed it. */
export function DeleteEndpoint({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const queryClient = useQueryClient();
  const remove = useMutation<void, ApiFailure>({
    mutationFn: () => apiFetch(`/api/webhook-subscriptions/${id}`, { method: "DELETE" }),
    onSuccess: async () => {
      toast.success("The endpoint was deleted");
      router.push("/webhooks");
      await queryClient.invalidateQueries({ queryKey: webhooksKey, exact: true });
    },
  });

  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger asChild>
        <Button variant="outline" size="sm">
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      </AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>Delete this endpoint?</AlertDialogTitle>
          <AlertDialogDescription>
            Nothing more is sent to it, what waits is skipped and its secret is wiped. This cannot be undone.
          </AlertDialogDescription>
        </AlertDialogHeader>
        {remove.error && (
          <ErrorNote title="Not deleted" code={remove.error.code} traceId={remove.error.traceId}>
            {remove.error.message}
          </ErrorNote>
        )}
        <AlertDialogFooter>
          <AlertDialogCancel>Keep it</AlertDialogCancel>
          <Button variant="destructive" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending && <Spinner />}
            Delete endpoint
          </Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}

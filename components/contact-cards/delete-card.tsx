"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { FailureNote } from "@/components/data/failure-note";
import { linesKey } from "@/components/lines/lines-key";
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
import { queryString } from "@/lib/client/query-string";
import type { LineDetails } from "@/lib/lines/get-line-details";

/** Takes a card off its line for good, once the reader has confirmed it. */
export function DeleteCard({ line, onDeleted }: { line: LineDetails; onDeleted: () => void }) {
  const [open, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const remove = useMutation<void, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/contact-cards${queryString({ phone_number: line.phone_number })}`, { method: "DELETE" }),
    onSuccess: async () => {
      setOpen(false);
      toast.success("The contact card was deleted");
      await queryClient.invalidateQueries({ queryKey: linesKey });
      onDeleted();
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
          <AlertDialogTitle>Delete this contact card?</AlertDialogTitle>
          <AlertDialogDescription>
            It is taken off the line with its picture. Phones that have it keep what was shared with them.
          </AlertDialogDescription>
        </AlertDialogHeader>
        <FailureNote title="Not deleted" failure={remove.error} />
        <AlertDialogFooter>
          <AlertDialogCancel>Keep it</AlertDialogCancel>
          <Button variant="destructive" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending && <Spinner />}
            Delete card
          </Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}

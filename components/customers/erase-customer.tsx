"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import { Grouped } from "@/components/data/grouped";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

export type EraseCustomerProps = { handle: string };

/** Erases everything that the account stores about a customer, after the handle was typed once more. */
export function EraseCustomer({ handle, trigger }: EraseCustomerProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState("");
  const erase = useMutation<void, ApiFailure>({
    mutationFn: () => {
      const body = { confirmation: typed };
      return apiFetch(`/api/customers/${encodeURIComponent(handle)}/erasure`, { method: "POST", body });
    },
    onSuccess: () => {
      onOpenChange(false);
      toast.success("Erasure started");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["customer", handle] }),
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setTyped("");
    erase.reset();
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!erase.isPending) erase.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex flex-col gap-4">
          <DialogHeader>
            <DialogTitle className="wrap-anywhere">
              Erase <Grouped>{handle}</Grouped>?
            </DialogTitle>
            <DialogDescription>
              Permanently deletes chats, messages, files, notes, names, locations and logs of this customer,
              and ends open payments. In groups, only what this customer wrote is deleted. Amounts of payments
              stay for accounting. An opt-out or block stays in force under a hash of the number. This can't
              be undone.
            </DialogDescription>
          </DialogHeader>
          <FailureNote title="The erasure was not started" failure={erase.error} />
          <Field>
            <FieldLabel>Type {handle} to confirm</FieldLabel>
            <FieldControl>
              <Input
                autoComplete="off"
                spellCheck={false}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            </FieldControl>
          </Field>
          <DialogFooter>
            <Button type="submit" variant="destructive" disabled={erase.isPending || typed.trim() !== handle}>
              {erase.isPending && <Spinner />}
              Erase customer
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type FormEvent, useState } from "react";
import { toast } from "sonner";
import { handleNameKey } from "@/components/customers/use-handle-name";
import { FailureNote } from "@/components/data/failure-note";
import { useFreshDialog } from "@/components/data/use-fresh-dialog";
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

const MAX_NAME = 100;

type NameDialogProps = { handle: string; name: string | null; onDone: () => void };

/** Names a handle for the account's people, or removes the name. */
export function NameDialog({ handle, name, onDone }: NameDialogProps) {
  const queryClient = useQueryClient();
  const [text, setText] = useState(name ?? "");
  const save = useMutation<void, ApiFailure>({
    mutationFn: () => {
      const body = { name: text.trim() === "" ? null : text.trim() };
      return apiFetch(`/api/customers/${encodeURIComponent(handle)}/name`, { method: "PUT", body });
    },
    onSuccess: () => {
      onOpenChange(false);
      toast.success(text.trim() === "" ? "Name removed" : `${handle} named ${text.trim()}`);
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: handleNameKey(handle) }),
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setText(name ?? "");
    save.reset();
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>
        <Button variant="outline" size="sm">
          <Pencil aria-hidden="true" />
          {name === null ? "Add name" : "Change name"}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex flex-col gap-4">
          <DialogHeader>
            <DialogTitle className="wrap-anywhere">Name {handle}</DialogTitle>
            <DialogDescription>
              Your team sees the name beside the handle. It is never part of the API or of webhooks.
            </DialogDescription>
          </DialogHeader>
          <FailureNote title="The name was not saved" failure={save.error} />
          <Field>
            <FieldLabel>Name</FieldLabel>
            <FieldControl>
              <Input maxLength={MAX_NAME} value={text} onChange={({ target }) => setText(target.value)} />
            </FieldControl>
          </Field>
          <DialogFooter>
            <Button type="submit" disabled={save.isPending || text.trim() === (name ?? "")}>
              {save.isPending && <Spinner />}
              {text.trim() === "" && name !== null ? "Remove name" : "Save name"}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

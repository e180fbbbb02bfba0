"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { handleNameKey } from "@/components/customers/use-handle-name";
import { FormDialog } from "@/components/data/dialogs/form-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const MAX_NAME = 100;

export type NameDialogProps = { handle: string; name: string | null; onDone: () => void };

/** Names a handle for the account's people, or removes the name. */
export function NameDialog({ handle, name, onDone, trigger }: NameDialogProps & LoadedPopup) {
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
  }, true);

  const isRemoval = text.trim() === "" && name !== null;
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title={`Name ${handle}`}
      description="Your team sees the name beside the number or email address. It is never part of the API or of webhooks."
      submit={isRemoval ? "Remove name" : "Save name"}
      isReady={text.trim() !== (name ?? "")}
      work={save}
      failed="The name was not saved"
    >
      <Field>
        <FieldLabel>Name</FieldLabel>
        <FieldControl>
          <Input maxLength={MAX_NAME} value={text} onChange={({ target }) => setText(target.value)} />
        </FieldControl>
      </Field>
    </FormDialog>
  );
}

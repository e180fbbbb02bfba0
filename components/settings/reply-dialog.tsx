"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/data/dialogs/form-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { CannedReply } from "@/lib/messaging/team/canned-replies";

const MAX_TITLE = 80;
const MAX_BODY = 4000;

export type ReplyDialogProps = { reply: CannedReply | null; onDone: () => void };

/** Creates a canned reply, or changes `reply`. */
export function ReplyDialog({ reply, onDone, trigger }: ReplyDialogProps & LoadedPopup) {
  const [title, setTitle] = useState(reply?.title ?? "");
  const [body, setBody] = useState(reply?.body ?? "");
  const save = useMutation<unknown, ApiFailure>({
    mutationFn: () => {
      const content = { title, body };
      if (reply === null) return apiFetch("/api/canned-replies", { method: "POST", body: content });
      return apiFetch(`/api/canned-replies/${reply.id}`, { method: "PUT", body: content });
    },
    onSuccess: () => {
      onOpenChange(false);
      onDone();
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    setTitle(reply?.title ?? "");
    setBody(reply?.body ?? "");
    save.reset();
  }, true);

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title={reply === null ? "Create a canned reply" : "Edit the canned reply"}
      description="Write {{name}} for the recipient's name, and {{agent}} for the name of the person who inserts it."
      submit="Save"
      isReady={title.trim() !== "" && body.trim() !== ""}
      work={save}
      failed="The canned reply was not saved"
    >
      <Field>
        <FieldLabel>Title</FieldLabel>
        <FieldControl>
          <Input maxLength={MAX_TITLE} value={title} onChange={({ target }) => setTitle(target.value)} />
        </FieldControl>
      </Field>
      <Field>
        <FieldLabel>Text</FieldLabel>
        <FieldControl>
          <Textarea maxLength={MAX_BODY} value={body} onChange={({ target }) => setBody(target.value)} />
        </FieldControl>
      </Field>
    </FormDialog>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/data/dialogs/form-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const MAX_TEXT = 2000;
/** The API's limit of mentions in one note. */
const MAX_MENTIONS = 10;

export type NoteDialogProps = { chatId: string; members: readonly { id: string; name: string }[] };

/** Writes an internal note. Mentioned colleagues get a notice. */
export function NoteDialog({ chatId, members, trigger }: NoteDialogProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const [text, setText] = useState("");
  const [mentions, setMentions] = useState<readonly string[]>([]);
  const write = useMutation<unknown, ApiFailure>({
    mutationFn: () => {
      const body = { text: text.trim(), mentions };
      return apiFetch(`/api/chats/${chatId}/notes`, { method: "POST", body });
    },
    onSuccess: () => {
      onOpenChange(false);
      setText("");
      setMentions([]);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["notes", chatId] }),
  });
  const [open, onOpenChange] = useFreshDialog(write.reset, true);

  function toggle(id: string, isOn: boolean): void {
    setMentions(isOn ? [...mentions, id] : mentions.filter((other) => other !== id));
  }

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title="Internal note"
      description="Only your team sees notes. The recipient, the API and webhooks never do."
      submit="Save note"
      isReady={text.trim() !== ""}
      work={write}
      failed="The note was not saved"
    >
      <Field>
        <FieldLabel>Note</FieldLabel>
        <FieldControl>
          <Textarea value={text} maxLength={MAX_TEXT} onChange={({ target }) => setText(target.value)} />
        </FieldControl>
      </Field>
      <fieldset className="flex max-h-40 flex-col gap-2 overflow-y-auto">
        <legend className="mb-2 font-medium text-sm">Mention</legend>
        {members.map(({ id, name }) => (
          <label key={id} htmlFor={`mention-${id}`} className="flex items-center gap-2 text-sm">
            <Checkbox
              id={`mention-${id}`}
              checked={mentions.includes(id)}
              disabled={!mentions.includes(id) && mentions.length >= MAX_MENTIONS}
              onCheckedChange={(checked) => toggle(id, checked === true)}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

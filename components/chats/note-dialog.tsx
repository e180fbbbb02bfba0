"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { StickyNote } from "lucide-react";
import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { useFreshDialog } from "@/components/data/use-fresh-dialog";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
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
import { Spinner } from "@/components/ui/spinner";
import { Textarea } from "@/components/ui/textarea";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const MAX_TEXT = 2000;
/** The API's limit of mentions in one note. */
const MAX_MENTIONS = 10;

type NoteDialogProps = { chatId: string; members: readonly { id: string; name: string }[] };

/** Writes an internal note. Mentioned colleagues get a notice. */
export function NoteDialog({ chatId, members }: NoteDialogProps) {
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
  const [open, onOpenChange] = useFreshDialog(write.reset);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== "" && !write.isPending) write.mutate();
  }

  function toggle(id: string, isOn: boolean): void {
    setMentions(isOn ? [...mentions, id] : mentions.filter((other) => other !== id));
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>
        <Button variant="ghost" size="sm">
          <StickyNote aria-hidden="true" />
          Add note
        </Button>
      </DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          <DialogHeader>
            <DialogTitle>Internal note</DialogTitle>
            <DialogDescription>
              Only your team sees notes. The recipient, the API and webhooks never do.
            </DialogDescription>
          </DialogHeader>
          <FailureNote title="The note was not saved" failure={write.error} />
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
          <DialogFooter>
            <Button type="submit" disabled={text.trim() === "" || write.isPending}>
              {write.isPending && <Spinner />}
              Save note
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

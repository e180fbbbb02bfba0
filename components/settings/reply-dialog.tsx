"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
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
import { Textarea } from "@/components/ui/textarea";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { CannedReply } from "@/lib/messaging/chats/canned-replies";

const MAX_TITLE = 80;
const MAX_BODY = 4000;

type ReplyDialogProps = { reply: CannedReply | null; onDone: () => void };

/** Creates a canned reply, or changes `reply`. */
export function ReplyDialog({ reply, onDone }: ReplyDialogProps) {
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
  });
  const isReady = title.trim() !== "" && body.trim() !== "" && !save.isPending;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady) save.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>
        {reply === null ? (
          <Button className="self-start">Create canned reply</Button>
        ) : (
          <Button variant="outline" size="sm" aria-label={`Edit ${reply.title}`}>
            Edit
          </Button>
        )}
      </DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          <DialogHeader>
            <DialogTitle>{reply === null ? "Create a canned reply" : "Edit the canned reply"}</DialogTitle>
            <DialogDescription>
              Write {"{{name}}"} for the recipient's name, and {"{{agent}}"} for the name of the person who
              inserts it.
            </DialogDescription>
          </DialogHeader>
          <FailureNote title="The canned reply was not saved" failure={save.error} />
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
          <DialogFooter>
            <Button type="submit" disabled={!isReady}>
              {save.isPending && <Spinner />}
              Save
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

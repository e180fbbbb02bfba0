"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { CapabilityNotice, useCapability } from "@/components/chats/capability-notice";
import { LineSelect } from "@/components/chats/line-select";
import { FailureNote } from "@/components/data/failure-note";
import { Grouped } from "@/components/data/grouped";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { useAttemptKey } from "@/components/data/use-attempt-key";
import { useSender } from "@/components/shell/rights";
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
import { Spinner } from "@/components/ui/spinner";
import { Textarea } from "@/components/ui/textarea";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { senderHeader } from "@/lib/identity/sessions/sender";
import type { Line } from "@/lib/lines/lines/line";

export type StartChatProps = { handle: string; lines: Line[]; line: string; onLine: (line: string) => void };

/** Starts a chat by sending a first message from a chosen line. */
export function StartChat({ handle, trigger, ...form }: StartChatProps & LoadedPopup) {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle className="wrap-anywhere">
            Start a chat with <Grouped>{handle}</Grouped>
          </DialogTitle>
          <DialogDescription>Your first message creates the chat.</DialogDescription>
        </DialogHeader>
        <StartForm handle={handle} {...form} />
      </DialogContent>
    </Dialog>
  );
}

function StartForm({ handle, lines, line, onLine }: StartChatProps) {
  const [text, setText] = useState("");
  const start = useStart(handle, line);
  const capability = useCapability(handle, line);
  const ready = text.trim() !== "" && !start.isPending;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (ready) start.mutate(text);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <FailureNote title="The chat could not be started" failure={start.error} />
      <LineSelect lines={lines} line={line} onChange={onLine} />
      <CapabilityNotice capability={capability} />
      <Field>
        <FieldLabel>First message</FieldLabel>
        <FieldControl>
          <Textarea value={text} maxLength={10_000} onChange={({ target }) => setText(target.value)} />
        </FieldControl>
      </Field>
      <DialogFooter>
        <Button type="submit" disabled={!ready}>
          {start.isPending && <Spinner />}
          Send and open chat
        </Button>
      </DialogFooter>
    </form>
  );
}

function useStart(handle: string, line: string) {
  const router = useRouter();
  const sender = useSender();
  const { keyOf } = useAttemptKey();
  return useMutation<{ chat: { id: string } }, ApiFailure, string>({
    mutationFn: (text) => {
      const message = { parts: [{ type: "text", value: text }], idempotency_key: keyOf([line, text]) };
      const body = { from: line, to: [handle], message };
      return apiFetch("/api/chats", { method: "POST", body, headers: senderHeader(sender) });
    },
    onSuccess: ({ chat }) => router.push(`/chats/${chat.id}`),
  });
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { OptionFields } from "@/components/composer/option-fields";
import { requireNoneLeft } from "@/components/composer/outbox";
import { FailureNote } from "@/components/data/failure-note";
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
} from "@/components/ui/dialog";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { senderHeader } from "@/lib/identity/sessions/sender";
import { MIN_OPTIONS } from "@/lib/messaging/polls/poll-limits";

type PollDialogProps = { chatId: string; onClose: () => void; onSent: (messageId: string) => void };

/** Sends a poll. Polls have no question of their own, so the question is sent as a message before it. */
export function PollDialog({ chatId, onClose, onSent }: PollDialogProps) {
  const [question, setQuestion] = useState("");
  const [options, setOptions] = useState(["", ""]);
  const sendPoll = usePoll(chatId);
  const given = options.map((option) => option.trim()).filter((option) => option !== "");
  const send = useMutation<string, ApiFailure>({
    mutationFn: () => sendPoll(question.trim(), given),
    onSuccess: (messageId) => {
      onSent(messageId);
      onClose();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (given.length >= MIN_OPTIONS && !send.isPending) send.mutate();
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Send a poll</DialogTitle>
          <DialogDescription>
            Everyone in the chat can vote and add options. Polls require iMessage.
          </DialogDescription>
        </DialogHeader>
        <form onSubmit={submit} className="flex flex-col gap-4">
          <FailureNote title="The poll could not be sent" failure={send.error} />
          <Field>
            <FieldLabel>Question (optional)</FieldLabel>
            <FieldControl>
              <Input value={question} maxLength={1000} onChange={({ target }) => setQuestion(target.value)} />
            </FieldControl>
            <FieldDescription>The question is sent as a message before the poll.</FieldDescription>
          </Field>
          <OptionFields options={options} onChange={setOptions} />
          <DialogFooter>
            <Button type="submit" disabled={given.length < MIN_OPTIONS || send.isPending}>
              {send.isPending && <Spinner />}
              Send poll
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** Sends the question and the poll. A retry reuses their idempotency keys, so neither is sent twice. */
function usePoll(chatId: string) {
  const sender = useSender();
  const { keyOf } = useAttemptKey();

  return async function send(question: string, options: readonly string[]): Promise<string> {
    const key = keyOf([question, options]);
    // It must not overtake a message that can still be taken back.
    await requireNoneLeft(sender, chatId);
    const headers = senderHeader(sender);
    if (question !== "") {
      const parts = [{ type: "text", value: question }];
      const body = { message: { parts, idempotency_key: `${key}-question` } };
      await apiFetch(`/api/chats/${chatId}/messages`, { method: "POST", body, headers });
    }
    const poll = { options: options.map((text) => ({ text })), idempotency_key: key };
    const sent = await apiFetch<{ message_id: string }>(`/api/chats/${chatId}/polls`, {
      method: "POST",
      body: { poll },
      headers,
    });
    return sent.message_id;
  };
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { useAttemptKey } from "@/components/data/use-attempt-key";
import { ChatChoice, nameOf } from "@/components/payments/chat-choice";
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
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { senderHeader } from "@/lib/identity/sessions/sender";
import type { Chat } from "@/lib/messaging/chats/chat";

export type SendIntoChatProps = {
  label: string;
  /** The message for a chat, as the request body of POST /v3/chats/{chatId}/messages. */
  message: (chat: Chat) => Record<string, unknown>;
  /** A note shown in the dialog before sending. */
  note?: string;
  disabled?: boolean;
  /** Why a chat cannot receive the message, or null; absent when every chat can. */
  refuse?: (chat: Chat) => string | null;
  onSent?: () => void;
};

/** Sends a prepared message to a chat that the user selects. */
export function SendIntoChat(props: SendIntoChatProps & LoadedPopup) {
  const { label, message, note, refuse, onSent, trigger } = props;
  const sender = useSender();
  const [open, setOpen] = useState(true);
  const [chat, setChat] = useState<Chat | null>(null);
  const { keyOf, endAttempt } = useAttemptKey();
  const send = useMutation<unknown, ApiFailure, Chat>({
    mutationFn: (to) => {
      const content = message(to);
      return apiFetch(`/api/chats/${to.id}/messages`, {
        method: "POST",
        body: { message: { ...content, idempotency_key: keyOf([to.id, content]) } },
        headers: senderHeader(sender),
      });
    },
    onSuccess: (_, to) => {
      endAttempt();
      setOpen(false);
      toast.success(`Sent to ${nameOf(to)}`);
      onSent?.();
    },
  });

  function onOpenChange(next: boolean): void {
    setOpen(next);
    if (!next) return;
    setChat(null);
    send.reset();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-md">
        <DialogHeader>
          <DialogTitle>{label}</DialogTitle>
          <DialogDescription>
            Select a chat. The message is sent from the chat's line. {note}
          </DialogDescription>
        </DialogHeader>
        <FailureNote title="The message was not sent" failure={send.error} />
        <ChatChoice chosen={chat} refuse={refuse} onChoose={setChat} />
        <DialogFooter>
          <Button disabled={chat === null || send.isPending} onClick={() => chat && send.mutate(chat)}>
            {send.isPending && <Spinner />}
            Send
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

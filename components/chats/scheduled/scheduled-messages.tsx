"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import { useState } from "react";
import { useChatEvents } from "@/components/chats/chat-events";
import { EditTime } from "@/components/chats/scheduled/edit-time";
import { scheduledKey } from "@/components/chats/scheduled/scheduled-key";
import { Timestamp } from "@/components/data/time/timestamp";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ScheduledMessage } from "@/lib/messaging/scheduled/scheduled-message";

type ScheduledMessagesProps = { chatId: string; maySend: boolean };

/** The messages of the chat that wait for their time, below those that were sent. */
export function ScheduledMessages({ chatId, maySend }: ScheduledMessagesProps) {
  const queryClient = useQueryClient();
  const queryKey = scheduledKey(chatId);
  const { data } = useQuery<{ scheduled_messages: ScheduledMessage[] }, ApiFailure>({
    queryKey,
    queryFn: ({ signal }) => apiFetch(`/api/scheduled-messages?chat_id=${chatId}`, { signal }),
  });
  const messages = data?.scheduled_messages ?? [];
  const refresh = () => void queryClient.invalidateQueries({ queryKey });
  useChatEvents({
    onEvent: ({ chat_id, message_id }) => {
      if (chat_id === chatId && messages.some(({ id }) => id === message_id)) refresh();
    },
    onReady: refresh,
  });

  if (messages.length === 0) return null;
  return (
    <section aria-label="Scheduled messages" className="flex flex-col gap-3 pt-3">
      {messages.map((message) => (
        <Scheduled key={message.id} message={message} maySend={maySend} />
      ))}
    </section>
  );
}

function Scheduled({ message, maySend }: { message: ScheduledMessage; maySend: boolean }) {
  return (
    <article aria-label="Scheduled message" className="flex w-full flex-col items-end gap-1">
      <div className="wrap-anywhere max-w-[min(92%,38rem)] whitespace-pre-wrap rounded-2xl rounded-br-md border border-muted-foreground/60 border-dashed bg-secondary px-3.5 py-2 text-[0.875rem] text-secondary-foreground leading-normal">
        {textOf(message)}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1 px-1 text-muted-foreground text-xs">
        <span className="inline-flex items-center gap-1">
          <Clock className="size-3 shrink-0" aria-hidden="true" />
          <span>
            Scheduled for <Timestamp value={message.send_at} format="moment" />
          </span>
        </span>
        {maySend && <Changes message={message} />}
      </div>
    </article>
  );
}

function Changes({ message }: { message: ScheduledMessage }) {
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const path = `/api/scheduled-messages/${message.id}`;
  const change = useMutation<unknown, ApiFailure, "send" | "cancel">({
    mutationFn: (what) =>
      what === "cancel"
        ? apiFetch(path, { method: "DELETE" })
        : apiFetch(path, { method: "PATCH", body: { send_at: new Date(0).toISOString() } }),
    onSuccess: (_, what) => {
      if (what === "cancel") toast.success("The scheduled message was canceled");
    },
    onError: (failure) => toast.error(failure.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: scheduledKey(message.chat_id) }),
  });
  return (
    <>
      <Button variant="outline" size="xs" disabled={change.isPending} onClick={() => change.mutate("send")}>
        Send now
      </Button>
      <EditTime message={message} />
      {isAsked ? (
        <Button
          variant="destructive"
          size="xs"
          disabled={change.isPending}
          onClick={() => change.mutate("cancel")}
        >
          Cancel this message
        </Button>
      ) : (
        <Button variant="outline" size="xs" onClick={() => setAsked(true)}>
          Cancel
        </Button>
      )}
    </>
  );
}

function textOf({ parts, is_voice_memo }: ScheduledMessage): string {
  if (is_voice_memo) return "Voice memo";
  const texts = parts.map((part) => {
    if (part.type === "text") return part.value;
    if (part.type === "media") return part.filename;
    return part.type === "imessage_app" ? "Card" : part.value;
  });
  return texts.join("\n");
}

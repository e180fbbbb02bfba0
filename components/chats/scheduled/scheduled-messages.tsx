"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import { useChatEvents } from "@/components/chats/chat-events";
import { ScheduledActions } from "@/components/chats/scheduled/scheduled-actions";
import { scheduledKey } from "@/components/chats/scheduled/scheduled-key";
import { textOfScheduled } from "@/components/chats/scheduled/text-of-scheduled";
import { Timestamp } from "@/components/data/time/timestamp";
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
        {textOfScheduled(message)}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1 px-1 text-muted-foreground text-xs">
        <span className="inline-flex items-center gap-1">
          <Clock className="size-3 shrink-0" aria-hidden="true" />
          <span>
            Scheduled for <Timestamp value={message.send_at} format="moment" />
          </span>
        </span>
        {maySend && <ScheduledActions message={message} />}
      </div>
    </article>
  );
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refreshScheduled } from "@/components/chats/scheduled/scheduled-key";
import { LazyOpen } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { untilLoaded } from "@/components/data/until-loaded";
import { useSender } from "@/components/shell/rights";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { senderHeader } from "@/lib/identity/sessions/sender";
import type { ScheduledMessage } from "@/lib/messaging/scheduled/scheduled-message";

const loadEditTime = async () => (await import("@/components/chats/scheduled/edit-time")).EditTime;

type ScheduledActionsProps = { message: Pick<ScheduledMessage, "id" | "chat_id"> };

/** Sends a scheduled message now, moves it to another time or cancels it. */
export function ScheduledActions({ message }: ScheduledActionsProps) {
  const queryClient = useQueryClient();
  const sender = useSender();
  const [isAsked, setAsked] = useState(false);
  const path = `/api/scheduled-messages/${message.id}`;
  const change = useMutation<unknown, ApiFailure, "send" | "cancel">({
    mutationFn: async (what) => {
      if (what === "cancel") return apiFetch(path, { method: "DELETE" });
      // It must not overtake a message that can still be taken back.
      const { requireNoneLeft } = await untilLoaded(() => import("@/components/composer/outbox"));
      await requireNoneLeft(sender, message.chat_id);
      const body = { send_at: new Date(0).toISOString() };
      return apiFetch(path, { method: "PATCH", body, headers: senderHeader(sender) });
    },
    onSuccess: (_, what) => {
      toast.success(what === "cancel" ? "The scheduled message was canceled" : "The message is sent now");
    },
    onError: (failure) => toast.error(failure.message),
    onSettled: () => refreshScheduled(queryClient, message.chat_id),
  });
  return (
    <>
      <Button variant="outline" size="xs" disabled={change.isPending} onClick={() => change.mutate("send")}>
        Send now
      </Button>
      <LazyOpen
        popup="dialog"
        load={loadEditTime}
        props={{ message }}
        trigger={
          <Button variant="outline" size="xs">
            Edit time
          </Button>
        }
      />
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

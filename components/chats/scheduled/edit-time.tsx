"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshScheduled } from "@/components/chats/scheduled/scheduled-key";
import { TimeDialog } from "@/components/chats/scheduled/time-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { formatMoment } from "@/components/data/time/format-time";
import { toast } from "@/components/data/toast";
import { useSender } from "@/components/shell/rights";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { senderHeader } from "@/lib/identity/sessions/sender";
import type { ScheduledMessage } from "@/lib/messaging/scheduled/scheduled-message";

export type EditTimeProps = { message: Pick<ScheduledMessage, "id" | "chat_id"> };

/** Moves a scheduled message to another time. */
export function EditTime({ message, trigger }: EditTimeProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const sender = useSender();
  const move = useMutation<unknown, ApiFailure, Date>({
    mutationFn: (at) => {
      const body = { send_at: at.toISOString() };
      return apiFetch(`/api/scheduled-messages/${message.id}`, {
        method: "PATCH",
        body,
        headers: senderHeader(sender),
      });
    },
    onSuccess: (_, at) => {
      onOpenChange(false);
      toast.success(`Scheduled for ${formatMoment(at.getTime())}`);
    },
    onSettled: () => refreshScheduled(queryClient, message.chat_id),
  });
  const [open, onOpenChange] = useFreshDialog(move.reset, true);
  return (
    <TimeDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title="Edit time"
      description="The message is sent at this time instead, in your time zone."
      submit="Save"
      failed="The time was not changed"
      work={move}
    />
  );
}

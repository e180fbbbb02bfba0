"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { scheduledKey } from "@/components/chats/scheduled/scheduled-key";
import { TimeDialog } from "@/components/chats/scheduled/time-dialog";
import type { Draft } from "@/components/composer/draft";
import { toContent } from "@/components/composer/to-content";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { formatMoment } from "@/components/data/time/format-time";
import { toast } from "@/components/data/toast";
import { useSender } from "@/components/shell/rights";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { randomKey } from "@/lib/client/random-key";
import { senderHeader } from "@/lib/identity/sessions/sender";

export type SendLaterProps = {
  chatId: string;
  draft: Draft;
  /** This draft is scheduled: the composer can forget it. */
  onScheduled: (scheduled: Draft) => void;
};

/** Asks when the draft is sent, and schedules it. */
export function SendLater({ chatId, draft, onScheduled, trigger }: SendLaterProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const sender = useSender();
  // A repeated attempt has the same key, so that it schedules nothing twice. Another time is another message.
  const attempt = useRef({ content: "", key: "", draft });
  const schedule = useMutation<unknown, ApiFailure, Date>({
    mutationFn: (at) => {
      const send_at = at.toISOString();
      const content = JSON.stringify([draft, send_at]);
      if (attempt.current.content !== content) attempt.current = { content, key: randomKey(), draft };
      const message = { ...toContent(draft), idempotency_key: attempt.current.key };
      const body = { message, send_at };
      const headers = senderHeader(sender);
      return apiFetch(`/api/chats/${chatId}/messages`, { method: "POST", body, headers });
    },
    onSuccess: (_, at) => {
      onOpenChange(false);
      toast.success(`Scheduled for ${formatMoment(at.getTime())}`);
      onScheduled(attempt.current.draft);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: scheduledKey(chatId) }),
  });
  const [open, onOpenChange] = useFreshDialog(schedule.reset, true);
  return (
    <TimeDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      title="Send later"
      description="The message is sent at this time, in your time zone, unless the customer has opted out by then."
      submit="Schedule"
      failed="The message was not scheduled"
      work={schedule}
    />
  );
}

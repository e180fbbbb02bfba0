"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { scheduledKey } from "@/components/chats/scheduled/scheduled-key";
import { TimeDialog } from "@/components/chats/scheduled/time-dialog";
import type { Draft } from "@/components/composer/draft";
import { attemptKey, beginAttempt, endAttempt } from "@/components/composer/schedule-attempt";
import { toContent } from "@/components/composer/to-content";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { formatMoment } from "@/components/data/time/format-time";
import { toast } from "@/components/data/toast";
import { useSender } from "@/components/shell/rights";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { senderHeader } from "@/lib/identity/sessions/sender";

export type SendLaterProps = {
  chatId: string;
  draft: Draft;
  /** The draft is scheduled: the composer can forget it. */
  onScheduled: () => void;
};

const NOT_FOUND = 2002;

/** The answer; `send_at` is absent when the message was sent. */
type Scheduled = { message: { id: string; send_at?: string } };

/** Asks when the draft is sent, and schedules it. */
export function SendLater({ chatId, draft, onScheduled, trigger }: SendLaterProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const sender = useSender();
  const shown = useRef(draft);
  const schedule = useMutation<{ sendAt: string | undefined; written: Draft }, ApiFailure, Date>({
    mutationFn: async (at) => {
      const send_at = at.toISOString();
      const headers = senderHeader(sender);
      const message = { ...toContent(draft), idempotency_key: beginAttempt(chatId, draft) };
      const { message: found } = await apiFetch<Scheduled>(`/api/chats/${chatId}/messages`, {
        method: "POST",
        body: { message, send_at },
        headers,
      });
      // An attempt whose answer was lost has scheduled it for another time.
      if (found.send_at !== undefined && found.send_at !== send_at) {
        const path = `/api/scheduled-messages/${found.id}`;
        await apiFetch(path, { method: "PATCH", body: { send_at }, headers });
      }
      return { sendAt: found.send_at, written: draft };
    },
    onSuccess: ({ sendAt, written }, at) => {
      endAttempt(chatId);
      onOpenChange(false);
      toast.success(sendAt === undefined ? "Sent" : `Scheduled for ${formatMoment(at.getTime())}`);
      // A message may have been taken back into the draft meanwhile.
      if (JSON.stringify(shown.current) === JSON.stringify(written)) onScheduled();
    },
    onError: ({ code }) => {
      // It was scheduled, and canceled since: another attempt is another message.
      if (code === NOT_FOUND) endAttempt(chatId);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: scheduledKey(chatId) }),
  });
  useEffect(() => {
    shown.current = draft;
    if (attemptKey(chatId, draft) === null) endAttempt(chatId);
  }, [chatId, draft]);
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

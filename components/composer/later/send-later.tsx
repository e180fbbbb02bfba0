"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { scheduledKey } from "@/components/chats/scheduled/scheduled-key";
import { TimeDialog } from "@/components/chats/scheduled/time-dialog";
import type { Draft } from "@/components/composer/draft";
import { scheduleDraft } from "@/components/composer/later/schedule-draft";
import { attemptKey, endAttempt } from "@/components/composer/schedule-attempt";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { formatMoment } from "@/components/data/time/format-time";
import { toast } from "@/components/data/toast";
import { useSender } from "@/components/shell/rights";
import type { ApiFailure } from "@/lib/client/api-fetch";

export type SendLaterProps = {
  chatId: string;
  draft: Draft;
  /** The draft is scheduled: the composer can forget it. */
  onScheduled: () => void;
};

/** Asks when the draft is sent, and schedules it. */
export function SendLater({ chatId, draft, onScheduled, trigger }: SendLaterProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const sender = useSender();
  const shown = useRef(draft);
  const schedule = useMutation<{ isLater: boolean; written: Draft }, ApiFailure, Date>({
    mutationFn: async (at) => ({
      isLater: await scheduleDraft({ sender, chatId, draft, at }),
      written: draft,
    }),
    onSuccess: ({ isLater, written }, at) => {
      onOpenChange(false);
      toast.success(isLater ? `Scheduled for ${formatMoment(at.getTime())}` : "Sent");
      // A message may have been taken back into the draft meanwhile.
      if (JSON.stringify(shown.current) === JSON.stringify(written)) onScheduled();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: scheduledKey(chatId) }),
  });
  // Other text is another message.
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

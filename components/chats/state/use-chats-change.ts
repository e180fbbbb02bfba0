"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshChats } from "@/components/chats/state/refresh-chats";
import { toast } from "@/components/data/toast";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ChatsChange } from "@/lib/messaging/team/change-chats";

const DONE: Record<Exclude<ChatsChange["type"], "assign">, string> = {
  close: "closed",
  snooze: "snoozed",
  reopen: "reopened",
  mark_read: "marked as read",
};

/** A chat to change, with the newest message that the person has seen. */
export type SeenChat = { id: string; last_message_id: string | null };

type Request = { chats: SeenChat[]; change: ChatsChange };
type Result = { changed: string[]; failed: { id: string; code: number; message: string }[] };

/** The result of a change in words: what was done, and why the rest was not. */
export function resultText(change: ChatsChange, { changed, failed }: Result): string {
  const [first] = failed;
  const verb = change.type === "assign" ? assignedText(change) : DONE[change.type];
  const done = `${chatsText(changed.length)} ${verb}`;
  if (first === undefined) return done;
  const reason = failed.every(({ message }) => message === first.message) ? `: ${first.message}` : "";
  return `${done}, ${failed.length} not${reason}`;
}

function assignedText({ user_id, team_id }: Extract<ChatsChange, { type: "assign" }>): string {
  if (user_id === null) return "no longer assigned to a person";
  return team_id === null ? "no longer assigned to a team" : "assigned";
}

function chatsText(count: number): string {
  return count === 1 ? "1 chat" : `${count} chats`;
}

/** Changes several chats. A toast says how many were changed, and what failed. */
export function useChatsChange(onDone: (result: Result) => void) {
  const queryClient = useQueryClient();
  const change = useMutation<Result, ApiFailure, Request>({
    mutationFn: (body) => apiFetch("/api/chats/changes", { method: "POST", body }),
    onSuccess: (result, { chats, change: made }) => {
      const text = resultText(made, result);
      if (result.failed.length > 0) toast.error(text);
      else if (made.type === "close" || made.type === "snooze") {
        const undo = { label: "Undo", onClick: () => change.mutate({ chats, change: { type: "reopen" } }) };
        toast.success(text, { action: undo });
      } else toast.success(text);
      onDone(result);
    },
    onError: (failure) => toast.error(failure.message),
    // Not awaited: the next change does not wait until the lists are read anew.
    onSettled() {
      void refreshChats(queryClient);
    },
  });
  return change;
}

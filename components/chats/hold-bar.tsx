"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Bot, Hand } from "lucide-react";
import { Timestamp } from "@/components/data/time/timestamp";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ChatTeam } from "@/lib/messaging/team/get-chat-team";

type HoldBarProps = { chatId: string; team: ChatTeam; maySend: boolean };

/** Says who holds a chat and until when, and takes it over or hands it back. Hidden while the account's option is off. */
export function HoldBar({ chatId, team, maySend }: HoldBarProps) {
  const change = useHoldChange(chatId);
  const { hold } = team;
  if (team.take_over_minutes === null || (hold === null && !maySend)) return null;
  const Icon = hold === null ? Bot : Hand;
  return (
    <section
      aria-label="Take over"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-muted/40 px-4 py-2 text-sm sm:px-6"
    >
      <Icon className="size-4 shrink-0 text-muted-foreground" aria-hidden="true" />
      <p role="status" className="wrap-anywhere min-w-40 flex-1">
        {hold === null ? (
          "Programs can send to this chat."
        ) : (
          <>
            {hold.is_you ? "You hold this chat" : `${hold.by.name} holds this chat`}. API sends are refused
            until <Timestamp value={hold.until} format="moment" />.
          </>
        )}
      </p>
      {maySend && (
        <span className="flex gap-2">
          {hold?.is_you !== true && (
            <Button
              size="sm"
              variant="outline"
              disabled={change.isPending}
              onClick={() => change.mutate("POST")}
            >
              {change.isPending && <Spinner />}
              {hold === null ? "Take over" : "Take over from them"}
            </Button>
          )}
          {hold !== null && (
            <Button
              size="sm"
              variant="outline"
              disabled={change.isPending}
              onClick={() => change.mutate("DELETE")}
            >
              {change.isPending && hold.is_you && <Spinner />}
              Hand back
            </Button>
          )}
        </span>
      )}
    </section>
  );
}

function useHoldChange(chatId: string) {
  const queryClient = useQueryClient();
  return useMutation<void, ApiFailure, "POST" | "DELETE">({
    mutationFn: (method) => apiFetch(`/api/chats/${chatId}/take-over`, { method }),
    onError: (failure) => toast.error(failure.message),
    onSettled: () =>
      Promise.all(
        ["chat-team", "notes", "send-blockers"].map((of) =>
          queryClient.invalidateQueries({ queryKey: [of, chatId] }),
        ),
      ),
  });
}

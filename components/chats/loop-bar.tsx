"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Repeat } from "lucide-react";
import { Timestamp } from "@/components/data/time/timestamp";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type LoopBarProps = { chatId: string; heldAt: string; maySend: boolean };

/** Says that two programs answer each other and that API sends are on hold, and resumes them. */
export function LoopBar({ chatId, heldAt, maySend }: LoopBarProps) {
  const resume = useResume(chatId);
  return (
    <section
      aria-label="Loop"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-muted/40 px-4 py-2 text-sm sm:px-6"
    >
      <Repeat className="size-4 shrink-0 text-muted-foreground" aria-hidden="true" />
      <p role="status" className="wrap-anywhere min-w-40 flex-1">
        Two programs seem to answer each other. API sends are on hold since{" "}
        <Timestamp value={heldAt} format="moment" />.
      </p>
      {maySend && (
        <Button size="sm" variant="outline" disabled={resume.isPending} onClick={() => resume.mutate()}>
          {resume.isPending && <Spinner />}
          Resume API sends
        </Button>
      )}
    </section>
  );
}

function useResume(chatId: string) {
  const queryClient = useQueryClient();
  return useMutation<void, ApiFailure>({
    mutationFn: () => apiFetch(`/api/chats/${chatId}/resume`, { method: "POST" }),
    onError: (failure) => toast.error(failure.message),
    onSettled: () =>
      Promise.all(
        ["chat-team", "notes", "send-blockers"].map((of) =>
          queryClient.invalidateQueries({ queryKey: [of, chatId] }),
        ),
      ),
  });
}

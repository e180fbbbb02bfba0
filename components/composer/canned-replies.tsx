"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { cannedRepliesKey } from "@/components/composer/canned-replies-key";
import type { ComposerChat } from "@/components/composer/draft";
import { fillReply } from "@/components/composer/fill-reply";
import { useHandleName } from "@/components/customers/use-handle-name";
import type { LoadedPopup } from "@/components/data/lazy-open";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { CannedReply } from "@/lib/messaging/team/canned-replies";

export type CannedRepliesProps = {
  place: ComposerChat;
  onInsert: (text: string) => void;
  /** Returns the focus to the message field. */
  onClosed: () => void;
};

/** Inserts a canned reply at the cursor, with its variables replaced. */
export function CannedReplies({ place, onInsert, onClosed, trigger }: CannedRepliesProps & LoadedPopup) {
  const [open, setOpen] = useState(true);
  const recipient = place.isGroup ? null : (place.members[0] ?? null);
  const name = useHandleName(recipient ?? "");
  const { data } = useQuery<{ replies: CannedReply[]; agent: string }, ApiFailure>({
    queryKey: cannedRepliesKey,
    queryFn: ({ signal }) => apiFetch("/api/canned-replies", { signal }),
    enabled: open,
  });
  const values = { name, handle: recipient, line: place.line, agent: data?.agent ?? null };
  return (
    <DropdownMenu open={open} onOpenChange={setOpen}>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent
        align="start"
        side="top"
        className="max-h-72 max-w-80"
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          onClosed();
        }}
      >
        <DropdownMenuLabel>Canned replies</DropdownMenuLabel>
        {data?.replies.map((reply) => (
          <DropdownMenuItem key={reply.id} onSelect={() => onInsert(fillReply(reply.body, values))}>
            <span className="flex min-w-0 flex-col">
              <span className="truncate">{reply.title}</span>
              <span className="truncate text-muted-foreground text-xs">{reply.body}</span>
            </span>
          </DropdownMenuItem>
        ))}
        {data?.replies.length === 0 && (
          <p className="px-2 py-1.5 text-muted-foreground text-xs">No canned replies yet.</p>
        )}
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link href="/settings/canned-replies">Manage canned replies</Link>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

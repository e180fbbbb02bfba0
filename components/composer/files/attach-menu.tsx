"use client";

import { BarChart3, Mic, Paperclip } from "lucide-react";
import type { LoadedPopup } from "@/components/data/lazy-open";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

export type AttachMenuProps = {
  /** Why voice memos or polls can't be sent here; null if they can. */
  noMemos: string | null;
  noPolls: string | null;
  /** Opens the browser's file picker. */
  onPick: () => void;
  onMemo: () => void;
  onPoll: () => void;
};

/** The menu that adds files, a voice memo or a poll to a message. */
export function AttachMenu({
  noMemos,
  noPolls,
  onPick,
  onMemo,
  onPoll,
  trigger,
}: AttachMenuProps & LoadedPopup) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent align="start" side="top" className="max-w-72">
        <DropdownMenuItem onSelect={onPick}>
          <Paperclip />
          <span>
            Files…
            <span className="block text-muted-foreground text-xs">
              Images, videos, audio and documents, up to 100 MB each
            </span>
          </span>
        </DropdownMenuItem>
        <DropdownMenuItem disabled={noMemos !== null} onSelect={onMemo}>
          <Mic />
          <Reasoned label="Voice memo…" reason={noMemos} />
        </DropdownMenuItem>
        <DropdownMenuItem disabled={noPolls !== null} onSelect={onPoll}>
          <BarChart3 />
          <Reasoned label="Poll…" reason={noPolls} />
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function Reasoned({ label, reason }: { label: string; reason: string | null }) {
  return (
    <span>
      {label}
      {reason !== null && <span className="block text-muted-foreground text-xs">{reason}</span>}
    </span>
  );
}

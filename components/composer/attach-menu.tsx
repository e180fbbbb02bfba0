"use client";

import { BarChart3, Mic, Paperclip, Plus } from "lucide-react";
import { useRef } from "react";
import { ACCEPTED_FILES } from "@/components/composer/file-type";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

type AttachMenuProps = {
  /** Why voice memos or polls can't be sent here; null if they can. */
  noMemos: string | null;
  noPolls: string | null;
  onFiles: (files: File[]) => void;
  onMemo: () => void;
  onPoll: () => void;
};

/** The menu that adds files, a voice memo or a poll to a message. */
export function AttachMenu({ noMemos, noPolls, onFiles, onMemo, onPoll }: AttachMenuProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        accept={ACCEPTED_FILES}
        aria-label="Files to send"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Attach"
            title="Attach files, a voice memo or a poll"
          >
            <Plus />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start" side="top" className="max-w-72">
          <DropdownMenuItem onSelect={() => picker.current?.click()}>
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
    </>
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

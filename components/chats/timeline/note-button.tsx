"use client";

import { StickyNote } from "lucide-react";
import { BAR_TEXT } from "@/components/chats/bar-text";
import type { NoteDialogProps } from "@/components/chats/timeline/note-dialog";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/chats/timeline/note-dialog")).NoteDialog;

/** Opens the form of an internal note. */
export function NoteButton(props: NoteDialogProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="ghost" size="sm" title="Add note">
          <StickyNote aria-hidden="true" />
          <span className={BAR_TEXT}>Add note</span>
        </Button>
      }
    />
  );
}

"use client";

import { useSelectedLayoutSegment } from "next/navigation";
import type { ReactNode } from "react";
import { ChatEventsProvider } from "@/components/chats/chat-events";
import { useErrorNotes } from "@/components/data/lazy-error-note";
import { cn } from "@/lib/cn";

/** The chat list beside the open chat. Narrow screens show one at a time. */
export function ChatsFrame({ list, children }: { list: ReactNode; children: ReactNode }) {
  useErrorNotes();
  const chatIsOpen = useSelectedLayoutSegment() !== null;
  return (
    <ChatEventsProvider>
      <div className="flex h-[calc(100dvh-var(--header-height))] min-h-0 print:h-auto">
        <div
          className={cn(
            "min-h-0 w-full shrink-0 flex-col border-r bg-card lg:flex lg:w-88",
            "print:hidden",
            chatIsOpen ? "hidden" : "flex",
          )}
        >
          {list}
        </div>
        <div className={cn("min-h-0 min-w-0 flex-1 flex-col lg:flex", chatIsOpen ? "flex" : "hidden")}>
          {children}
        </div>
      </div>
    </ChatEventsProvider>
  );
}

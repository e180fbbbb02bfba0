"use client";

import { MessageSquarePlus } from "lucide-react";
import type { StartChatProps } from "@/components/chats/list/start-chat";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/chats/list/start-chat")).StartChat;

/** Opens the form of the first message of a chat. */
export function StartChatButton(props: StartChatProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button size="sm">
          <MessageSquarePlus aria-hidden="true" />
          Start chat
        </Button>
      }
    />
  );
}

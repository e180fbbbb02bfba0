"use client";

import type { MessageActionsProps } from "@/components/chats/bubble/message-actions";
import { messageMenuTrigger } from "@/components/chats/bubble/message-menu-trigger";
import { LazyOpen } from "@/components/data/lazy-open";

const load = async () => (await import("@/components/chats/bubble/message-actions")).MessageActions;

/** Opens the menu of a message part. */
export function MessageMenuButton(props: MessageActionsProps) {
  return <LazyOpen popup="menu" load={load} props={props} trigger={messageMenuTrigger} />;
}

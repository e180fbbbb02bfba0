"use client";

import type { MessageActionsProps } from "@/components/chats/message-actions";
import { messageMenuTrigger } from "@/components/chats/message-menu-trigger";
import { LazyOpen } from "@/components/data/lazy-open";

const load = async () => (await import("@/components/chats/message-actions")).MessageActions;

/** Opens the menu of a message part. */
export function MessageMenuButton(props: MessageActionsProps) {
  return <LazyOpen popup="menu" load={load} props={props} trigger={messageMenuTrigger} />;
}

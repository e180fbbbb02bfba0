"use client";

import { useSyncExternalStore } from "react";
import { listUnsent, onUnsentChange } from "@/components/composer/page-messages";
import type { UnsentMessage } from "@/components/composer/stored-unsent";
import { useSender } from "@/components/shell/rights";

const NONE: readonly UnsentMessage[] = [];

/** The user's messages of a chat that no answer has accepted yet, oldest first, without the one in the composer. */
export function useUnsent(chatId: string): UnsentMessage[] {
  const sender = useSender();
  // The server can't read what the tab stores.
  const all = useSyncExternalStore(onUnsentChange, listUnsent, () => NONE);
  return all.filter((each) => each.chatId === chatId && each.sender === sender && !each.isInComposer);
}

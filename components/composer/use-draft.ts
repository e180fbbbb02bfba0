"use client";

import { useEffect, useState } from "react";
import { type Draft, EMPTY_DRAFT } from "@/components/composer/draft";

const PREFIX = "trunkline:draft:";
const keyOf = (chatId: string) => PREFIX + chatId;

/** The draft of a chat, stored while the tab is open. */
export function useDraft(chatId: string) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [isRead, setIsRead] = useState(false);

  // The server can't read the stored draft, so it is restored after hydration.
  useEffect(() => {
    const kept = readDraft(chatId);
    if (kept !== null) setDraft((current) => (current === EMPTY_DRAFT ? kept : current));
    setIsRead(true);
  }, [chatId]);

  useEffect(() => {
    if (isRead) saveDraft(chatId, draft);
  }, [chatId, draft, isRead]);

  return {
    draft,
    isRead,
    change: (to: Partial<Draft>) => setDraft((current) => ({ ...current, ...to })),
    update: (next: (current: Draft) => Draft) => setDraft(next),
    clear: () => setDraft(EMPTY_DRAFT),
  };
}

export type DraftState = ReturnType<typeof useDraft>;

function readDraft(chatId: string): Draft | null {
  try {
    const text = sessionStorage.getItem(keyOf(chatId));
    return text === null ? null : { ...EMPTY_DRAFT, ...JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Whether the draft has nothing that is worth keeping. */
export function isEmptyDraft({ text, files, reply }: Draft): boolean {
  return text === "" && files.length === 0 && reply === null;
}

/** Stores a draft while the tab is open; nothing if it is empty. */
export function saveDraft(chatId: string, draft: Draft): void {
  try {
    if (isEmptyDraft(draft)) sessionStorage.removeItem(keyOf(chatId));
    else sessionStorage.setItem(keyOf(chatId), JSON.stringify(draft));
  } catch {
    // Without session storage, drafts are simply not stored.
  }
}

/** Deletes all drafts, so that the next user who signs in in this tab can't read them. */
export function clearDrafts(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Without session storage, there are no drafts to delete.
  }
}

"use client";

import { useEffect, useState } from "react";
import { type Draft, EMPTY_DRAFT } from "@/components/composer/draft";

const PREFIX = "trunkline:draft:";
const keyOf = (chatId: string) => PREFIX + chatId;

/** What is being written in a chat, kept for as long as the tab is open. */
export function useDraft(chatId: string) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [isRead, setIsRead] = useState(false);

  // What the server rendered knows of no draft.
  useEffect(() => {
    const kept = readDraft(chatId);
    if (kept !== null) setDraft((current) => (current === EMPTY_DRAFT ? kept : current));
    setIsRead(true);
  }, [chatId]);

  useEffect(() => {
    if (isRead) keepDraft(chatId, draft);
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

function keepDraft(chatId: string, draft: Draft): void {
  const isEmpty = draft.text === "" && draft.files.length === 0 && draft.reply === null;
  try {
    if (isEmpty) sessionStorage.removeItem(keyOf(chatId));
    else sessionStorage.setItem(keyOf(chatId), JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still writes messages.
  }
}

/** Forgets all drafts: whoever signs in next in this tab is somebody else. */
export function forgetDrafts(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

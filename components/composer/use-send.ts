"use client";

import { useEffect, useRef, useState } from "react";
import type { Draft } from "@/components/composer/draft";
import { untilLoaded } from "@/components/data/until-loaded";
import { useSender } from "@/components/shell/rights";
import type { ApiFailure } from "@/lib/client/api-fetch";
import { currentConnection } from "@/lib/client/connection";
import { randomKey } from "@/lib/client/random-key";

const loadOutbox = () => import("@/components/composer/outbox");

/**
 * Sends messages to a chat. A retry reuses the idempotency key, so that it can't create a second message if the first
 * attempt succeeded. A message that can be taken back, or that the server does not answer, waits in the thread and is sent
 * later (outbox.ts), as do those that are written after it. `override`: the reason to override the recipient's opt-out.
 * `lastMessageId`: the newest message that the writer has seen.
 */
export function useSend(
  chatId: string,
  lastMessageId: string | null | undefined,
  onSent: (messageId: string) => void,
) {
  const sender = useSender();
  const attempt = useRef({ content: "", key: "" });
  const [failure, setFailure] = useState<ApiFailure>();
  const [pending, setPending] = useState(false);

  // It is needed when nothing can be loaded, which may be soon.
  useEffect(() => void loadOutbox().catch(() => undefined), []);

  /** Whether the draft is done with: it was accepted, or it waits in the thread. */
  async function send(draft: Draft, override: string | null): Promise<boolean> {
    setPending(true);
    try {
      return await sendOrKeep(draft, override);
    } finally {
      setPending(false);
    }
  }

  async function sendOrKeep(draft: Draft, override: string | null): Promise<boolean> {
    const text = JSON.stringify([draft, override]);
    if (attempt.current.content !== text) attempt.current = { content: text, key: randomKey() };
    const { key } = attempt.current;
    const { addUnsent, currentHoldMs, listUnsent, sendOnce } = await untilLoaded(loadOutbox);
    // What overrides an opt-out was confirmed already, and is one message.
    const holdMs = override === null ? currentHoldMs() : 0;
    const isFirst = !listUnsent().some(
      (each) => each.sender === sender && each.chatId === chatId && each.state !== "refused",
    );
    const isTried = holdMs === 0 && isFirst && currentConnection() !== "offline";
    const outcome = isTried ? await sendOnce(chatId, draft, { key, override }) : { failure: null };
    if ("messageId" in outcome) onSent(outcome.messageId);
    else if (outcome.failure === null) {
      addUnsent({ key, sender, chatId, draft, override, lastMessageId, tries: isTried ? 1 : 0 }, holdMs);
    } else {
      setFailure(outcome.failure);
      return false;
    }
    attempt.current = { content: "", key: "" };
    setFailure(undefined);
    return true;
  }

  return { send, failure, pending };
}

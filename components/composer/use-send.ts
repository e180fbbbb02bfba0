"use client";

import { useEffect, useRef, useState } from "react";
import type { Draft } from "@/components/composer/draft";
import { untilLoaded } from "@/components/data/until-loaded";
import { useSender } from "@/components/shell/rights";
import type { ApiFailure } from "@/lib/client/api-fetch";
import { randomKey } from "@/lib/client/random-key";

const load = () => import("@/components/composer/send-or-keep");

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
  useEffect(() => void load().catch(() => undefined), []);

  /** Whether the draft is done with: it was accepted, or it waits in the thread. */
  async function send(draft: Draft, override: string | null): Promise<boolean> {
    setPending(true);
    try {
      return await attemptSend(draft, override);
    } finally {
      setPending(false);
    }
  }

  async function attemptSend(draft: Draft, override: string | null): Promise<boolean> {
    const text = JSON.stringify([draft, override]);
    if (attempt.current.content !== text) attempt.current = { content: text, key: randomKey() };
    const { key } = attempt.current;
    const { sendOrKeep } = await untilLoaded(load);
    const outcome = await sendOrKeep({ key, sender, chatId, draft, override, lastMessageId });
    if ("messageId" in outcome) onSent(outcome.messageId);
    else if (outcome.failure !== null) {
      setFailure(outcome.failure);
      return false;
    }
    attempt.current = { content: "", key: "" };
    setFailure(undefined);
    return true;
  }

  return { send, failure, pending };
}

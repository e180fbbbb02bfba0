"use client";

import { useEffect, useState } from "react";
import type { Draft } from "@/components/composer/draft";
import { untilLoaded } from "@/components/data/until-loaded";
import { useSender } from "@/components/shell/rights";

const load = () => import("@/components/composer/send-or-keep");

/**
 * Sends messages to a chat. A message that can be taken back, or that the server does not accept, waits in the thread
 * (outbox.ts), as do those that are written after it. `override`: the reason to override the recipient's opt-out.
 * `lastMessageId`: the newest message that the writer has seen. `onSent`: null while the message waits. Returns the draft
 * that is being sent, which the composer shows until it is answered; `onKept`: the draft's place is free for the next.
 */
export function useSend(
  chatId: string,
  lastMessageId: string | null | undefined,
  onSent: (messageId: string | null) => void,
) {
  const sender = useSender();
  const [sending, setSending] = useState<Draft | null>(null);

  // It is needed when nothing can be loaded, which may be soon.
  useEffect(() => void load().catch(() => undefined), []);

  async function send(draft: Draft, override: string | null, onKept: () => void): Promise<void> {
    setSending(draft);
    try {
      const { sendOrKeep } = await untilLoaded(load);
      onSent(await sendOrKeep({ sender, chatId, draft, override, lastMessageId }, onKept));
    } finally {
      setSending(null);
    }
  }

  return { send, sending };
}

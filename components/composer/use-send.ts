"use client";

import { useRef, useState } from "react";
import type { Content } from "@/components/composer/to-content";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { randomKey } from "@/lib/client/random-key";

interface Sent {
  message: { id: string };
}

/**
 * Sends messages to a chat. A retry reuses the idempotency key, so that it can't create a second message if the first
 * attempt succeeded. `override`: the reason to override the recipient's opt-out.
 */
export function useSend(chatId: string, onSent: (messageId: string) => void) {
  const attempt = useRef({ content: "", key: "" });
  const [failure, setFailure] = useState<ApiFailure>();
  const [pending, setPending] = useState(false);

  async function send(content: Content, override: string | null): Promise<boolean> {
    const text = JSON.stringify([content, override]);
    if (attempt.current.content !== text) attempt.current = { content: text, key: randomKey() };
    const message = { ...content, idempotency_key: attempt.current.key };
    const over = override === null ? {} : { override_optout: true, override_reason: override };
    setPending(true);
    try {
      const path = `/api/chats/${chatId}/messages`;
      const sent = await apiFetch<Sent>(path, { method: "POST", body: { message, ...over } });
      attempt.current = { content: "", key: "" };
      setFailure(undefined);
      onSent(sent.message.id);
      return true;
    } catch (error) {
      setFailure(
        error instanceof ApiFailure ? error : new ApiFailure(0, "The message could not be sent. Try again."),
      );
      return false;
    } finally {
      setPending(false);
    }
  }

  return { send, failure, pending };
}

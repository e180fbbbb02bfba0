"use client";

import { useRef, useState } from "react";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { randomKey } from "@/lib/client/random-key";

interface Sent {
  chat_id: string;
  message: { id: string };
}

/**
 * Sends texts into a chat. A text that is sent again after a failure keeps its idempotency key: if the first try did
 * arrive after all, there is still one message.
 */
export function useSend(chatId: string, onSent: (messageId: string) => void) {
  const attempt = useRef({ text: "", key: "" });
  const [failure, setFailure] = useState<ApiFailure>();

  async function send(text: string): Promise<void> {
    if (attempt.current.text !== text) attempt.current = { text, key: randomKey() };
    const message = { parts: [{ type: "text", value: text }], idempotency_key: attempt.current.key };
    try {
      const sent = await apiFetch<Sent>(`/api/chats/${chatId}/messages`, {
        method: "POST",
        body: { message },
      });
      attempt.current = { text: "", key: "" };
      setFailure(undefined);
      onSent(sent.message.id);
    } catch (error) {
      setFailure(
        error instanceof ApiFailure ? error : new ApiFailure(0, "The message was not sent. Try again."),
      );
      throw error;
    }
  }

  return { send, failure };
}

"use client";

import { useEffect, useState } from "react";
import { useChatEvents } from "@/components/chats/chat-events";

const STARTED = "chat.typing_indicator.started";
const STOPPED = "chat.typing_indicator.stopped";
/** A phone that stops without saying so is no longer typing after this time. */
const SHOWN_MS = 60_000;

/** Dots while the contact types. A message or the end of typing removes them. */
export function TypingDots({ chatId }: { chatId: string }) {
  const [since, setSince] = useState<number | null>(null);
  useChatEvents({
    onEvent: ({ chat_id, type, seq }) => {
      if (chat_id !== chatId) return;
      if (type === STARTED) setSince(seq);
      else if (type === STOPPED || type === "message.received") setSince(null);
    },
  });

  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSince(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [since]);

  return (
    <div role="status" className="mx-auto w-full max-w-3xl px-4 sm:px-6">
      {since !== null && (
        <p className="mb-2 inline-flex items-center gap-1 rounded-2xl rounded-bl-md bg-bubble-inbound px-3.5 py-3">
          {[0, 150, 300].map((delay) => (
            <span
              key={delay}
              aria-hidden="true"
              style={{ animationDelay: `${delay}ms` }}
              className="size-1.5 rounded-full bg-bubble-inbound-foreground/70 motion-safe:animate-bounce"
            />
          ))}
          <span className="sr-only">The recipient is typing</span>
        </p>
      )}
    </div>
  );
}

"use client";

import { useRef } from "react";
import { randomKey } from "@/lib/client/random-key";

interface AttemptKey {
  /** The idempotency key of a request with this content, as JSON: that of the attempt before, if it had the same content. */
  keyOf: (content: unknown) => string;
  /** The request succeeded: the same content again is another request. */
  endAttempt: () => void;
}

/** Keys with which a repeated attempt, after one whose answer was lost, does nothing twice. */
export function useAttemptKey(): AttemptKey {
  const attempt = useRef({ of: "", key: "" });
  return {
    keyOf(content) {
      const of = JSON.stringify(content);
      if (attempt.current.of !== of) attempt.current = { of, key: randomKey() };
      return attempt.current.key;
    },
    endAttempt() {
      attempt.current = { of: "", key: "" };
    },
  };
}

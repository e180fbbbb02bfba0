"use client";

import { useEffect, useRef } from "react";
import { useOpenPhone } from "@/components/phones/phone-context";

const PAUSE_MS = 4000;

/** Reports to the line that the phone's user types, until the user pauses, clears the text or sends it. */
export function useTyping(chatId: string | null) {
  const { requests, run } = useOpenPhone();
  const isTyping = useRef(false);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);

  function stop(): void {
    clearTimeout(pause.current);
    if (!isTyping.current || chatId === null) return;
    isTyping.current = false;
    void run(requests.stopTyping(chatId));
  }

  return {
    type(text: string): void {
      if (chatId === null) return;
      if (text === "") {
        stop();
        return;
      }
      if (!isTyping.current) {
        isTyping.current = true;
        void run(requests.startTyping(chatId));
      }
      clearTimeout(pause.current);
      pause.current = setTimeout(stop, PAUSE_MS);
    },
    /** The text was sent, which ends the typing. */
    forget(): void {
      clearTimeout(pause.current);
      isTyping.current = false;
    },
  };
}

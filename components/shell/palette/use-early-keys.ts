"use client";

import { useEffect, useEffectEvent, useState } from "react";

/** Text, and whether Enter followed it. */
export interface EarlyKeys {
  text: string;
  isEntered: boolean;
}

const NONE: EarlyKeys = { text: "", isEntered: false };
const FIELD = "[cmdk-input]";

/**
 * Keeps what is typed between the opening of a palette and the focus of its field: before the field exists, the keys are
 * collected for its initial text. Then a key moves the focus to the field, which receives the key.
 */
export function useEarlyKeys(open: boolean): { early: EarlyKeys; forget: () => void } {
  const [early, setEarly] = useState(NONE);

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event;
    if (!open || event.metaKey || event.ctrlKey || event.altKey) return;
    const isText = key.length === 1;
    if (!isText && key !== "Enter" && key !== "Backspace") return;
    const field = document.querySelector<HTMLElement>(FIELD);
    if (field !== null) {
      if (isInside(field.closest("[role=dialog]"))) return;
      field.focus();
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (isText) setEarly(({ text }) => ({ text: text + key, isEntered: false }));
    else if (key === "Enter") setEarly(({ text }) => ({ text, isEntered: true }));
    else setEarly(({ text }) => ({ text: text.slice(0, -1), isEntered: false }));
  });

  useEffect(() => {
    // Before any other listener: letters are also shortcuts, and the field must have the focus when the browser inserts
    // the text.
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listener, { capture: true });
    return () => document.removeEventListener("keydown", listener, { capture: true });
  }, []);

  return { early, forget: () => setEarly(NONE) };
}

function isInside(dialog: Element | null): boolean {
  return dialog?.contains(document.activeElement) ?? false;
}

"use client";

import { useEffect, useEffectEvent } from "react";

interface LogKeys {
  /** Moves by so many lines: 1 is down, to what is older. */
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
  onTogglePause: () => void;
}

/** j and k walk the log (Enter opens what they stand on), p pauses it, Escape closes what is open. */
export function useLogKeys(keys: LogKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    const actions: Record<string, (() => void) | undefined> = {
      j: () => keys.onMove(1),
      k: () => keys.onMove(-1),
      p: keys.onTogglePause,
      Escape: keys.onClose,
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

// In fields, menus and dialogs the letters are theirs.
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      "input, textarea, select, [contenteditable], [role='listbox'], [role='dialog'], [role='menu']",
    ) !== null
  );
}

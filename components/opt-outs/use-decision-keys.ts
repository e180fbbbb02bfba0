"use client";

import { useEffect, useEffectEvent } from "react";

interface DecisionKeys {
  onMove: (by: 1 | -1) => void;
  onOptOut: () => void;
  onDismiss: () => void;
}

/** j and k walk, o opts out, d dismisses; in fields and dialogs the letters are theirs. */
export function useDecisionKeys(keys: DecisionKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.repeat || isTaken(event.target)) return;
    const actions: Record<string, (() => void) | undefined> = {
      j: () => keys.onMove(1),
      k: () => keys.onMove(-1),
      o: keys.onOptOut,
      d: keys.onDismiss,
    };
    actions[event.key]?.();
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function isTaken(target: EventTarget | null): boolean {
  const own = "input, textarea, select, [contenteditable], [role='listbox'], [role='dialog'], [role='menu']";
  return target instanceof Element && target.closest(own) !== null;
}

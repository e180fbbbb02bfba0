"use client";

import { useSyncExternalStore } from "react";

const changed = "trunkline:stored-choice";

function subscribe(listener: () => void): () => void {
  window.addEventListener("storage", listener);
  window.addEventListener(changed, listener);
  return () => {
    window.removeEventListener("storage", listener);
    window.removeEventListener(changed, listener);
  };
}

function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** A choice stored in the browser and shared by all components that use the same key; null until one is made. */
export function useStoredChoice(key: string): [string | null, (choice: string) => void] {
  const choice = useSyncExternalStore(
    subscribe,
    () => readChoice(key),
    () => null,
  );

  function choose(next: string): void {
    try {
      localStorage.setItem(key, next);
    } finally {
      window.dispatchEvent(new Event(changed));
    }
  }

  return [choice, choose];
}

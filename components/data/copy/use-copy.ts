"use client";

import { useEffect, useState } from "react";

const shownMs = 1600;

/** Copies to the clipboard and reports the outcome briefly; `failed` and false if the browser denies access. */
export function useCopy(): {
  outcome: "idle" | "copied" | "failed";
  copy: (text: string) => Promise<boolean>;
} {
  const [outcome, setOutcome] = useState<"idle" | "copied" | "failed">("idle");

  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(text: string): Promise<boolean> {
    const isCopied = await writeText(text);
    setOutcome(isCopied ? "copied" : "failed");
    return isCopied;
  }

  return { outcome, copy };
}

async function writeText(text: string): Promise<boolean> {
  try {
    // Browsers disable the clipboard API on plain HTTP, which self-hosted instances may use.
    if (!navigator.clipboard) return copyBySelection(text);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const holder = document.createElement("textarea");
  holder.value = text;
  holder.setAttribute("readonly", "");
  holder.style.position = "fixed";
  holder.style.opacity = "0";
  // A dialog traps the focus, so the helper element must be inside it.
  (focused?.closest("[role='dialog']") ?? document.body).append(holder);
  holder.select();
  const copied = document.execCommand("copy");
  holder.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

"use client";

import { useEffect } from "react";
import { MessagePage } from "@/components/shell/message-page";

// Every page loads this one ahead, so it is written without the code of Button.
const PLAIN_BUTTON =
  "inline-flex h-8.5 items-center rounded-md bg-primary px-3.5 font-medium text-primary-foreground text-sm shadow-xs hover:bg-primary/88 pointer-coarse:h-10";

export type FailedPageProps = {
  error: unknown;
  retry: () => void;
  /** Inside the dashboard's shell. */
  isInShell?: boolean;
};

function digestOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("digest" in error)) return undefined;
  return typeof error.digest === "string" ? error.digest : undefined;
}

/** When a page was last loaded anew because of a missing script, in milliseconds since 1970. */
const RELOADED_AT = "trunkline:reloaded";
const RELOAD_AGAIN_MS = 60_000;

/**
 * Loads the page anew when one of its scripts is missing: the server was away, or has a newer build without that script.
 * Waits for the network, and tries once a minute at most.
 */
function reloadOnce(): void {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_AGAIN_MS) return;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  } catch {
    // Without session storage, a second failure would look like the first.
    return;
  }
  location.reload();
}

/**
 * Shown in place of a page that threw. The reference matches the entry in the server's log. A page whose script is missing
 * is loaded anew, once, as soon as there is a network.
 */
export function FailedPage({ error, retry, isInShell = false }: FailedPageProps) {
  useEffect(() => {
    console.error(error);
    if (!(error instanceof Error) || error.name !== "ChunkLoadError") return;
    if (navigator.onLine) reloadOnce();
    window.addEventListener("online", reloadOnce);
    return () => window.removeEventListener("online", reloadOnce);
  }, [error]);

  const digest = digestOf(error);
  return (
    <MessagePage
      isInShell={isInShell}
      code={digest ? `Reference ${digest}` : undefined}
      title="This page could not be loaded"
      description={
        digest
          ? "The server has logged the error. Try again. If the error persists, send the reference above to your operator."
          : "Try again. If the error persists, reload the page."
      }
      actions={
        <button type="button" onClick={retry} className={PLAIN_BUTTON}>
          Try again
        </button>
      }
    />
  );
}

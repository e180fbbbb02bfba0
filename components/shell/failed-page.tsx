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

/** Shown in place of a page that threw. The reference matches the entry in the server's log. */
export function FailedPage({ error, retry, isInShell = false }: FailedPageProps) {
  useEffect(() => console.error(error), [error]);

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

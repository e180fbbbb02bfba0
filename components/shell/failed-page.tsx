"use client";

import { useEffect } from "react";
import { MessagePage } from "@/components/shell/message-page";
import { Button } from "@/components/ui/button";

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
      actions={<Button onClick={retry}>Try again</Button>}
    />
  );
}

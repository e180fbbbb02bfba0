"use client";

import { CodeTabs } from "@/components/data/copy/code-tabs";
import { type DocumentedRequest, requestSnippets } from "@/lib/docs/reference/request-snippets";

type RequestTabsProps = { request: DocumentedRequest; label: string };

/** A request in every language. The browser writes the code, so that a page contains the request only once. */
export function RequestTabs({ request, label }: RequestTabsProps) {
  return <CodeTabs label={label} snippets={requestSnippets(request)} />;
}

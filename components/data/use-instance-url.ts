"use client";

import { useSyncExternalStore } from "react";
import { SAMPLE_URL } from "@/lib/docs/reference/request-snippets";

/**
 * Replaces the sample URL in a text with the URL of this instance. Static pages are built before the URL is known, so
 * the browser does it.
 */
export function useInstanceUrl(text: string): string {
  const url = useSyncExternalStore(
    subscribeNever,
    () => location.origin,
    () => SAMPLE_URL,
  );
  return text.replaceAll(SAMPLE_URL, url);
}

function subscribeNever(): () => void {
  return () => {};
}

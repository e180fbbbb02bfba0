"use client";

import { useEffect } from "react";

/** Marks the document once the page reacts to clicks and keys. Scripts that drive a browser wait for the mark. */
export function useHydrationMark(): void {
  useEffect(() => {
    document.documentElement.dataset.hydrated = "true";
  }, []);
}

"use client";

import { useEffect } from "react";
import { apiFetch } from "@/lib/client/api-fetch";

/** More often than the shortest idle time-out, which is five minutes. */
const EVERY_MS = 2 * 60 * 1000;

/** Keeps the session in use while a page is open, also in the background, and notices when it was ended elsewhere. */
export function KeepSession() {
  useEffect(() => {
    // A failure is not the reader's concern: a session that has ended leads to the sign-in page by itself.
    const timer = setInterval(() => void apiFetch("/api/session").catch(() => undefined), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}

"use client";

import { useEffect } from "react";
import { apiFetch } from "@/lib/client/api-fetch";

/** Shorter than the shortest idle timeout, which is 5 minutes. */
const EVERY_MS = 2 * 60 * 1000;

/** Keeps the session active while a page is open, also in the background, and detects when the session has ended. */
export function SessionKeepAlive() {
  useEffect(() => {
    // Failures are ignored: a session that has ended redirects to the sign-in page.
    const timer = setInterval(() => void apiFetch("/api/session").catch(() => undefined), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}

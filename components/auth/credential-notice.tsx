"use client";

import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { toast } from "@/components/data/toast";
import { untilLoaded } from "@/components/data/until-loaded";
import { apiFetch } from "@/lib/client/api-fetch";
import type { SessionNotice } from "@/lib/identity/sessions/session-notice";

const CredentialAlert = dynamic(
  () => untilLoaded(async () => (await import("@/components/auth/credential-alert")).CredentialAlert),
  { loading: () => null },
);

/** Shorter than the shortest idle timeout, which is 5 minutes. */
const EVERY_MS = 2 * 60 * 1000;

/**
 * Keeps the session active while a page is open, also in the background, detects when the session has ended, and shows
 * changes of the user's credentials that were made in another session.
 */
export function CredentialNotice({ initial }: { initial: SessionNotice | null }) {
  const [notice, setNotice] = useState(initial);

  useEffect(() => {
    // Failures are ignored: a session that has ended redirects to the sign-in page.
    const timer = setInterval(
      () =>
        void apiFetch<{ notice: SessionNotice | null }>("/api/session")
          .then((session) => setNotice(session.notice))
          .catch(() => undefined),
      EVERY_MS,
    );
    return () => clearInterval(timer);
  }, []);

  async function dismiss(): Promise<void> {
    try {
      await apiFetch("/api/session/notice", { method: "DELETE" });
      setNotice(null);
    } catch {
      toast.error("The notice was not dismissed", { description: "The server did not respond. Try again." });
    }
  }

  return notice && <CredentialAlert notice={notice} onDismiss={() => void dismiss()} />;
}

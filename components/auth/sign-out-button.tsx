"use client";

import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** A sign-out button for pages without the user menu. */
export function SignOutButton() {
  async function leave(): Promise<void> {
    const [{ askToLeave }, { clearStoredData }] = await Promise.all([
      import("@/components/composer/ask-to-leave"),
      import("@/components/shell/clear-stored-data"),
    ]);
    if (!(await askToLeave(null, "Sign out"))) return;
    await apiFetch("/api/session", { method: "DELETE" });
    clearStoredData();
    location.assign("/sign-in");
  }

  return (
    <Button variant="outline" onClick={leave}>
      Sign out
    </Button>
  );
}

"use client";

import { Button } from "@/components/ui/button";
import { apiFetch } from "@/lib/client/api-fetch";

/** A sign-out button for pages without the user menu. */
export function SignOutButton() {
  async function leave(): Promise<void> {
    await apiFetch("/api/session", { method: "DELETE" });
    location.assign("/sign-in");
  }

  return (
    <Button variant="outline" onClick={leave}>
      Sign out
    </Button>
  );
}

"use client";

import { Button } from "@/components/ui/button";

/** A sign-out button for pages without the user menu. */
export function SignOutButton() {
  async function leave(): Promise<void> {
    const { signOut } = await import("@/components/shell/sign-out");
    await signOut(null);
  }

  return (
    <Button variant="outline" onClick={leave}>
      Sign out
    </Button>
  );
}
